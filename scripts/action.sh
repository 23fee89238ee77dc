#!/usr/bin/env bash
# What the GitHub action does (action.yml): judges by the options that stand in variables, each named after an input; writes
# the reports into $REPORTS and the verdict into $GITHUB_OUTPUT; ends with the exit status of the kit.
set -euo pipefail
kit=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
reports=${REPORTS:-conformance-reports}

words=()
add() { if [ -n "$2" ]; then words+=("$1=$2"); fi; }
if [ -n "${MERGE:-}" ]; then
  words+=(merge)
  IFS=
  while read -r pattern; do
    # Unquoted, so that a glob becomes the files that it matches. What begins with a hyphen is a file, too, and no option.
    case $pattern in -*) pattern=./$pattern ;; esac
    for file in $pattern; do words+=("$file"); done
  done <<< "$MERGE"
  unset IFS
else
  case ${SIDE:-service} in
    service) words+=(run) ;;
    client) words+=(client) ;;
    *) echo "side is $SIDE: service or client is wanted" >&2; exit 2 ;;
  esac
  add --module "${MODULE:-}"
  add --command "${COMMAND:-}"
  add --url "${URL:-}"
  add --control-url "${CONTROL_URL:-}"
  add --facts "${FACTS:-}"
  add --suite "${SUITE:-}"
  add --shard "${SHARD:-}"
  while read -r glob; do add --only "$glob"; done <<< "${ONLY:-}"
fi
add --baseline "${BASELINE:-}"
add --choices "${CHOICES:-}"
while IFS= read -r word; do
  if [ -n "$word" ]; then words+=("$word"); fi
done <<< "${ARGS:-}"

mkdir -p -- "$reports"
report=$reports/report.json
rm -f -- "$report"
words+=(--reporter=console --reporter=github "--reporter=json=$report")
words+=("--reporter=junit=$reports/junit.xml" "--reporter=html=$reports/report.html")
words+=("--reporter=badge=$reports/badge.json")

status=0
node "$kit/bin/launch-draft-conformance.mjs" "${words[@]}" || status=$?
if [ -f "$report" ] && [ -n "${GITHUB_OUTPUT:-}" ]; then
  verdict=$(node -p '
    const { verdict, selection } = JSON.parse(fs.readFileSync(process.argv[1], "utf8"));
    selection?.outcome === "passed" ? "selection-passed" : verdict' -- "$report")
  echo "verdict=$verdict" >> "$GITHUB_OUTPUT"
fi
exit "$status"
