import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { chmodSync, readFileSync, writeFileSync } from "node:fs";
import { delimiter, join } from "node:path";
import { test } from "node:test";
import { temporaryDirectory } from "../testing/temporary-file.ts";
import { SCRIPTS } from "./completion-scripts.ts";

/** In place of the program: tells what it was asked, and offers what the kit would. */
const PROGRAM = `#!/bin/sh
printf '%s|' "$@" >> "$ASKED"
for last; do :; done
case $last in
  capability:*) echo capability:restart ;;
  pl*) echo platform/ ;;
  re) printf 'replay\\nreport\\n' ;;
esac
`;

/** Has bash complete a line as it does at a prompt, and prints what it would put there. */
const COMPLETE = `
source "$SCRIPT"
complete -p launch-draft-conformance > /dev/null || exit 9
compopt() { echo "compopt $*"; }
for line in "launch-draft-conformance re" "launch-draft-conformance run --only pl" \\
  "launch-draft-conformance run --allow-untried capability:re" \\
  "launch-draft-conformance run --allow-untried capability:" "launch-draft-conformance run "; do
  COMP_LINE=$line COMP_POINT=\${#line}
  read -ra COMP_WORDS <<< "\${line//:/ : }"
  [[ $line == *" " ]] && COMP_WORDS+=("")
  COMP_CWORD=$((\${#COMP_WORDS[@]} - 1))
  _launch_draft_conformance launch-draft-conformance
  printf '[%s]' "\${COMPREPLY[@]}"
  echo
done
`;

test("bash puts what the program offers in the place of what was typed", (context) => {
  const folder = temporaryDirectory(context);
  const file = (name: string, text: string) => {
    writeFileSync(join(folder, name), text);
    return join(folder, name);
  };
  chmodSync(file("launch-draft-conformance", PROGRAM), 0o755);
  const { status, stdout, stderr } = spawnSync("bash", ["--noprofile", "--norc", "-c", COMPLETE], {
    encoding: "utf8",
    stdio: ["ignore", "pipe", "pipe"],
    env: {
      PATH: [folder, process.env["PATH"]].join(delimiter),
      ASKED: file("asked", ""),
      SCRIPT: file("script", SCRIPTS.bash),
    },
  });
  assert.deepEqual(
    { status, stdout, stderr },
    {
      status: 0,
      stdout: "[replay][report]\ncompopt -o nospace\n[platform/]\n[restart]\n[restart]\n[]\n",
      stderr: "",
    },
  );
  assert.equal(
    readFileSync(join(folder, "asked"), "utf8"),
    "complete|--|re|complete|--|run|--only|pl|complete|--|run|--allow-untried|capability:re|complete|--|run|--allow-untried|capability:|complete|--|run||",
  );
});
