import assert from "node:assert/strict";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { type TestContext, test } from "node:test";
import { AdapterFault } from "../adapters/adapter.ts";
import { PATHS } from "../paths.ts";
import { runCli } from "../testing/run-cli.ts";
import { temporaryDirectory } from "../testing/temporary-file.ts";
import { worstOf } from "./exit-status.ts";
import type { RunCommandOptions, RunEdge } from "./run-command.ts";
import { chosenTargets, runTargets } from "./targets.ts";

const USUAL: RunCommandOptions = {
  only: [],
  seed: 1,
  bail: false,
  runs: 60,
  runsGiven: false,
  timeoutMs: 5_000,
  maxWaitMs: 90_000,
  allowUntried: [],
  reporter: [],
  verbose: false,
};

const TS = { module: "./service.ts", baseline: "known.yaml", seed: 7 };
const PYTHON = { command: "python3 adapter.py", only: ["platform"], reporters: ["dot", "json=py.json"] };

/** A folder with a configuration of some targets, and what a command line in it chooses. */
function choosing(context: TestContext, targets: object = { ts: TS, python: PYTHON }) {
  const cwd = temporaryDirectory(context);
  const file = join(cwd, "launch-draft.config.json");
  writeFileSync(file, JSON.stringify({ targets }));
  const chosen = (names: readonly string[], given: Partial<RunCommandOptions> = {}, config?: string) =>
    chosenTargets({
      names,
      options: { ...USUAL, ...given },
      stated: new Set(Object.keys(given)),
      cwd,
      ...(config === undefined ? {} : { config }),
    });
  return { cwd, file, chosen };
}

test("run alone takes the only target, or the default one", async (context) => {
  const names = async (targets: object) => {
    const chosen = await choosing(context, targets).chosen([]);
    return chosen?.map(({ name }) => name);
  };
  assert.deepEqual(await names({ ts: TS }), ["ts"]);
  assert.deepEqual(await names({ ts: TS, default: PYTHON }), ["default"]);
  await assert.rejects(names({ ts: TS, python: PYTHON }), {
    message: /several targets and none that is named default: run NAME…, of ts, python$/,
  });
});

test("a name that is none is told with the nearest, and without a file there are none", async (context) => {
  const { cwd, chosen } = choosing(context);
  await assert.rejects(chosen(["pyton"]), {
    name: "UsageError",
    message:
      /^pyton: .*launch-draft\.config\.json has no such target \(did you mean "python"\?\); there are ts, python$/,
  });
  const none = { options: USUAL, stated: new Set<string>(), cwd: join(cwd, "none") };
  assert.equal(await chosenTargets({ names: [], ...none }), undefined);
  await assert.rejects(chosenTargets({ names: ["ts"], ...none }), { message: /^ts: there are no targets: / });
});

test("what the command line gives counts more than the file, and the file more than what is usual", async (context) => {
  const { chosen } = choosing(context);
  const [ts] = (await chosen(["ts"], { seed: 3 })) ?? [];
  assert.deepEqual(ts, {
    name: "ts",
    options: { ...USUAL, module: "./service.ts", baseline: "known.yaml", seed: 3, askedAs: ["ts"] },
  });
  assert.equal((await chosen(["ts"]))?.[0]?.options.seed, 7);
});

test("a way that the command line gives replaces that of the file, and without a name the file", async (context) => {
  const { cwd, chosen } = choosing(context);
  assert.equal(await chosen([], { module: "./other.ts" }), undefined);
  const url = "http://127.0.0.1:8080";
  const [ts] = (await chosen(["ts"], { url })) ?? [];
  const { module, url: reached, baseline, askedAs } = ts?.options ?? {};
  assert.deepEqual(
    [module, reached, baseline, askedAs],
    [undefined, url, "known.yaml", ["ts", "--url", url]],
  );
  const facts = { metadataHosts: ["a.example", "b.example"] };
  const server = choosing(context, { server: { url, facts } });
  const [named] = (await server.chosen(["server"], { facts: "facts.yaml" })) ?? [];
  assert.equal(named?.options.facts, "facts.yaml");
  const elsewhere = choosing(context);
  const [other] = (await elsewhere.chosen(["ts"], {}, join(cwd, "launch-draft.config.json"))) ?? [];
  assert.deepEqual(other?.options.askedAs, ["ts", "--config", join(cwd, "launch-draft.config.json")]);
});

test("a selection of the command line writes none of the file's reports", async (context) => {
  const { chosen } = choosing(context);
  const reporters = async (given: Partial<RunCommandOptions>) =>
    (await chosen(["python"], given))?.map(({ options }) => [options.only, options.reporter]);
  assert.deepEqual(await reporters({}), [[["platform"], ["dot", "json=py.json"]]]);
  assert.deepEqual(await reporters({ only: ["limits"] }), [[["limits"], ["dot"]]]);
  assert.deepEqual(await reporters({ only: ["limits"], reporter: ["json=a.json"] }), [
    [["limits"], ["json=a.json"]],
  ]);
});

test("each of several targets has files of its own", async (context) => {
  const { chosen } = choosing(context);
  const reporter = ["json=out/report.json", "html=./a.b/page", "dot"];
  const told = (await chosen(["ts", "python", "ts"], { reporter }))?.map(({ options }) => options.reporter);
  assert.deepEqual(
    told,
    ["ts", "python"].map((name) => [`json=out/report-${name}.json`, `html=./a.b/page-${name}`, "dot"]),
  );
  await assert.rejects(chosen(["ts", "python"], { reporter: ["json"] }), {
    message: "--reporter json: several targets are judged; give it a file (json=FILE), and each has its own",
  });
  const same = choosing(context, {
    a: { ...TS, reporters: ["json=r.json"] },
    b: { ...TS, reporters: ["html=r.json"] },
  });
  await assert.rejects(same.chosen(["a", "b"]), {
    message: "b: the reporter html=r.json writes to a file of the target a",
  });
});

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
    options: { module: name } as RunCommandOptions,
  }));
  const status = await runTargets(targets, edge, async ({ module = "" }) => {
    begun += 1;
    const end = ends[module];
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
    assert.equal(worstOf(statuses), status);
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
