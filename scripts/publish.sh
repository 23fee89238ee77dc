#!/usr/bin/env bash
# Builds and publishes the package: publish.sh [--dry-run]. A person runs it on the tag of the version.
set -euo pipefail
cd "$(dirname "$0")/.."

dry=""
case "${1:-}" in
  "") ;;
  --dry-run) dry=1 ;;
  *) echo "usage: publish.sh [--dry-run]" >&2; exit 2 ;;
esac

version="$(node -p 'require("./package.json").version')"
faults=0
# A dry run prints all faults, and continues.
fault() {
  echo "cannot publish: $1" >&2
  faults=$((faults + 1))
}
[ -z "$(git status --porcelain)" ] || fault "there are uncommitted changes"
git tag --points-at HEAD | grep -qxF "v$version" || fault "this commit has no tag v$version"
grep -qF "## $version" CHANGELOG.md || fault "CHANGELOG.md has no heading for $version"
if grep -qF "github.com/OWNER/" package.json; then fault "package.json still names OWNER"; fi
if [ -z "$dry" ]; then
  [ "$faults" -eq 0 ] || exit 1
  .ci/run
  npm run --silent package
  npm publish --provenance --access public ./dist/package
else
  npm run --silent package
  npm publish --dry-run --access public --no-provenance ./dist/package
  [ "$faults" -eq 0 ] || exit 1
fi
