#!/usr/bin/env bash
# Runs a script on a given version of Node, from the npm package `node`: on-node.sh MAJOR FILE [ARGUMENT…]
set -euo pipefail
major="$1"
shift

folder="$(mktemp -d)"
trap 'rm -rf "$folder"' EXIT
# An install script of the package downloads the binary. Newer versions of npm run only allowed scripts.
echo '{ "private": true, "allowScripts": { "node": true } }' > "$folder/package.json"
npm install --silent --no-audit --no-fund --no-save --prefix "$folder" "node@$major"

node="$folder/node_modules/.bin/node"
echo "on Node $("$node" --version)"
"$node" "$@"
