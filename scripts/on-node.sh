#!/usr/bin/env bash
# Runs a script on another Node, taken from the npm package `node`: on-node.sh MAJOR FILE [ARGUMENT…]
set -euo pipefail
major="$1"
shift

folder="$(mktemp -d)"
trap 'rm -rf "$folder"' EXIT
# The package fetches the binary for this machine by a script of its own, which newer versions of npm run only by leave.
echo '{ "private": true, "allowScripts": { "node": true } }' > "$folder/package.json"
npm install --silent --no-audit --no-fund --no-save --prefix "$folder" "node@$major"

node="$folder/node_modules/.bin/node"
echo "on Node $("$node" --version)"
"$node" "$@"
