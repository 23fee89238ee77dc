#!/usr/bin/env bash
# Runs commands one after the other, and continues after a failure: run-parts.sh COMMAND… Prints the duration
# of each command. Exit status 1 if a command failed.
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
