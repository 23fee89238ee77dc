import assert from "node:assert/strict";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { AdapterFault } from "../../adapters/adapter.ts";
import { PATHS } from "../../paths.ts";
import { runCli } from "../../testing/run-cli.ts";
import { temporaryDirectory } from "../../testing/temporary-file.ts";
import type { RunCommandOptions, RunEdge } from "../run-command.ts";
import { runTargets, worst } from "./run-targets.ts";

/** Judges targets that each end as told, and says what was printed. */
async function ended(ends: Readonly<Record<string, number | Error>>, stopAfter = Number.POSITIVE_INFINITY) {
  let [out, err, begun] = ["", "", 0];
  const output = {
    out: (text: string) => {
      out += text;
    },
    err: (text: string) => {
      err += text;
    },
  };
  const edge = {
    output,
    stopped: () => (begun >= stopAfter ? "stopped" : undefined),
    interrupt: { status: () => 130 },
  } as unknown as RunEdge;
  const targets = Object.keys(ends).map((name) => ({
    name,
    options: { subject: name } as RunCommandOptions,
  }));
  const status = await runTargets(targets, edge, async ({ subject = "" }) => {
    begun += 1;
    const end = ends[subject];
    if (end instanceof Error) throw end;
    return end ?? 0;
  });
  return { status, out, err };
}

test("several targets are judged whatever becomes of one, and the worst exit status wins", async () => {
  const gone = new AdapterFault("nix.ts: no such file", { fatal: true });
  assert.deepEqual(await ended({ a: 0, b: gone, c: 4 }), {
    status: 3,
    out: "== a ==\n\n== b ==\n\n== c ==\n\n== 3 targets ==\na: exit status 0\nb: exit status 3\nc: exit status 4\n",
    err: "b: the implementation could not be run: nix.ts: no such file\n",
  });
});

test("what was found counts more than what could not be seen", () => {
  for (const [statuses, status] of [
    [[0, 0], 0],
    [[0, 4], 4],
    [[4, 2], 2],
    [[2, 3], 3],
    [[3, 1], 1],
    [[130, 3], 130],
  ] as const)
    assert.equal(worst(statuses), status);
});

test("Ctrl-C ends them all, and one alone prints what it prints", async () => {
  const cut = await ended({ a: 0, b: 0 }, 1);
  assert.deepEqual([cut.status, cut.err], [130, "b: not judged, interrupted\n"]);
  assert.deepEqual(await ended({ a: 4 }), { status: 4, out: "", err: "" });
  await assert.rejects(ended({ a: new Error("as it is") }), /as it is/);
});

test("a file from elsewhere names what is judged, its command runs beside it, and a failure is asked for by its name", async (context) => {
  const folder = temporaryDirectory(context);
  const file = join(folder, "mine.json");
  const skeleton = join(PATHS.examples, "typescript/skeleton.ts");
  const command = `test -f mine.json && exec "${process.execPath}" --import "${import.meta.resolve("tsx")}" "${join(PATHS.examples, "typescript/skeleton-stdio.ts")}"`;
  writeFileSync(file, JSON.stringify({ targets: { module: { module: skeleton }, process: { command } } }));
  const only = ["--config", file, "--only", "platform/constants/whole-second"];
  const { status, stdout, stderr } = await runCli(["run", "module", "process", ...only]);
  assert.deepEqual([status, stderr], [1, ""]);
  for (const name of ["module", "process"]) {
    assert.match(stdout, new RegExp(`^== ${name} ==$`, "m"));
    assert.ok(
      stdout.includes(` run ${name} --config ${file} --only platform/constants/whole-second --seed 1\n`),
    );
    assert.match(stdout, new RegExp(`^${name}: exit status 1$`, "m"));
  }
});
