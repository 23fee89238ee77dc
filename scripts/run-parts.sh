#!/usr/bin/env bash
# Runs commands one after the other, whatever each ends with: run-parts.sh COMMAND… Prints how long each took, and ends with
# exit status 1 if one failed.
set -uo pipefail

failed=()
table=""
for part in "$@"; do
  echo "== $part"
  started=$SECONDS
  if bash -c "$part" < /dev/null; then verdict=passed; else verdict=FAILED; failed+=("$part"); fi
  table+="$verdict  $((SECONDS - started)) s  $part"$'\n'
done
printf '\n%s' "$table"
[ ${#failed[@]} -eq 0 ]
