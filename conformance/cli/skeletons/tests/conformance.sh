#!/bin/sh
# Tests the service. Accepts the options of "run", such as --only or --verbose.
set -- run my-target --baseline known-failures.yaml "$@"
# Uses the kit that is installed here or in a folder above. Otherwise, npx installs it.
for folder in . .. ../.. ../../..; do
  kit=$folder/node_modules/.bin/launch-draft-conformance
  [ ! -x "$kit" ] || exec "$kit" "$@"
done
exec npx --yes --ignore-scripts launch-draft-conformance@my-version "$@"
