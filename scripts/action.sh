#!/usr/bin/env bash
# What the GitHub action does (action.yml): judges by its inputs, which stand in $INPUTS as JSON, writes reports and the
# verdict ($GITHUB_OUTPUT), and ends with the exit status of the kit. Inputs that are not named here are options of the kit.
set -euo pipefail
kit=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
input() { node -p 'JSON.parse(process.env.INPUTS)[process.argv[1]] ?? ""' -- "$1"; }
reports=$(input reports)
reports=${reports:-conformance-reports}
merge=$(input merge)

words=()
if [ -n "$merge" ]; then
  words+=(merge)
  IFS=
  while read -r pattern; do
    # Unquoted, so that a glob becomes the files that it matches. What begins with a hyphen is a file, too, and not an option.
    case $pattern in -*) pattern=./$pattern ;; esac
    for file in $pattern; do words+=("$file"); done
  done <<< "$merge"
  unset IFS
else
  side=$(input side)
  case ${side:-service} in
    service) words+=(run) ;;
    client) words+=(client) ;;
    *) echo "side must be service or client, got $side" >&2; exit 2 ;;
  esac
fi
options=$(mktemp)
trap 'rm -f -- "$options"' EXIT
node -e '
  const { side, merge = "", args = "", reports, "working-directory": folder, "node-version": node, ...options } = JSON.parse(process.env.INPUTS);
  const linesOf = (text) => text.split("\n").filter((line) => line.trim() !== "");
  const words = Object.entries(options).flatMap(([name, text]) => {
    if (text === "" || (merge !== "" && !["baseline", "choices"].includes(name))) return [];
    return (name === "only" ? linesOf(text).map((line) => line.trim()) : [text]).map((value) => `--${name}=${value}`);
  });
  process.stdout.write([...words, ...linesOf(args)].map((word) => `${word}\0`).join(""));' > "$options"
while IFS= read -r -d '' word; do words+=("$word"); done < "$options"

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
