import assert from "node:assert/strict";
import {
  existsSync,
  mkdtempSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";
import { Ajv2020 } from "ajv/dist/2020.js";
import * as reference from "../../reference/service.ts";
import { ImplementationError } from "../adapters/adapter.ts";
import { InProcessAdapter, type ServiceModule } from "../adapters/in-process.ts";
import { DATA_FOLDER } from "../data/kit-files.ts";
import type { ReportData } from "../report/data.ts";
import { PRINTERS } from "../report/printers.ts";
import type { Edge } from "./edge.ts";
import { main } from "./main.ts";
import { fakeEdge } from "./testing/fake-edge.ts";

const folder = mkdtempSync(join(tmpdir(), "cli-test-"));
after(() => rmSync(folder, { recursive: true }));
const inFolder = (name: string) => join(folder, name);

interface Envelope {
  readonly status: number;
  readonly body: Readonly<Record<string, unknown>>;
}

/** The reference with changed responses. */
function withResponses(change: (envelope: Envelope) => unknown): ServiceModule {
  const createService = (options: reference.ServiceOptions) => {
    const service = reference.createService(options);
    return { handle: (call: object) => change(service.handle(call as never) as unknown as Envelope) };
  };
  return { ...reference, createService };
}

const wrongScope = withResponses(({ status, body }) => ({
  status,
  body: "scope" in body ? { ...body, scope: "launch-draft\u001b[2J\n::error::" } : body,
}));

/** Runs a command with fake output, errors and clock. Time passes only when `tick` is called. */
async function command(
  args: readonly string[],
  options: Partial<Edge> & { readonly service?: ServiceModule; readonly onTurn?: Turn } = {},
) {
  const { service = reference, onTurn = () => {}, ...rest } = options;
  let [output, errors, elapsedMs, isClosed, ticks] = ["", "", 0, false, [] as (() => void)[]];
  const edge = fakeEdge({
    write: (text) => {
      output += text;
    },
    writeError: (text) => {
      errors += text;
    },
    elapsedMs: () => elapsedMs,
    after: (ms, callback) => {
      const timer = setTimeout(callback, ms);
      return () => clearTimeout(timer);
    },
    every: (ms, callback) => {
      const tick = () => {
        elapsedMs += ms;
        callback();
      };
      ticks.push(tick);
      return () => {
        ticks = ticks.filter((one) => one !== tick);
      };
    },
    nextTurn: async () =>
      onTurn(() => {
        for (const tick of ticks) tick();
      }),
    openService: async () => {
      const adapter = new InProcessAdapter(service);
      adapter.close = async () => {
        isClosed = true;
      };
      return adapter;
    },
    ...rest,
  });
  const status = await main(args, edge);
  return { status, output: output.replaceAll("\u001b", "ESC"), errors, isClosed };
}
type Turn = (tick: () => void) => void;

const ONE = "session/issued/between-seconds";
const FAILURE = `launch-draft-conformance 0.1.0, contract partner-preview-1, seed 1
Service: launch-draft-reference 0.1.0 (TypeScript), --module 'my service.ts'

FAILED  session/issued/between-seconds
  SESSION-3  \`scope\` is \`offline:launch-draft\`.
  contract   Resources and their fields / Session; Authentication
  test       a session has a bearer, lasts one hour, and has the scope offline:launch-draft
  vector     vectors/suites/session.yaml:17, step 1, 0.000 s after the start
  before     POST /v1/auth/challenge gets 200
  sent       POST /v1/auth/verify {"id":"ID…","signatureBase64":"SIGNATURE…"}
  expected   scope: "offline:launch-draft"
  got        scope: "launch-draft\\u001b[2J\\n::error::" (status 200)
  repeat     npx launch-draft-conformance run --module 'my service.ts' --only session/issued/between-seconds

FAILED  session/issued/between-seconds (shown above)
  also in    build-texts/name-within-bounds/one-character (1 test fails; 1 more passes but shows this violation)

Rules      3 required rules satisfied, 1 violated
Violated   SESSION-3 (2 tests)
Tests      1 passed (1 of them shows violations of other rules), 1 failed, 0 skipped, 0 errors (SENT requests, 0 s; 2 of MANY selected)

Next: fix SESSION-3, as session/issued/between-seconds shows.

No verdict, because only selected tests ran. Required rules violated: 1.
`;

test("a failing run prints its failures and writes a report, from which --failed repeats them", async () => {
  const file = inFolder("failing.json");
  const only = ["--only", ONE, "build-texts/name-within-bounds/one-character"];
  const args = ["run", "--module", "my service.ts", ...only, "--reporter", "console", `json=${file}`];
  const { status, output, errors } = await command(args, { service: wrongScope });
  const masked = output
    .replace(/"id":"\w+…/, '"id":"ID…')
    .replace(/"signatureBase64":"[\w+/]+…/, '"signatureBase64":"SIGNATURE…')
    .replace(/\d+ requests/, "SENT requests")
    .replace(/2 of \d+/, "2 of MANY");
  assert.deepEqual({ status, errors }, { status: 1, errors: "" });
  assert.equal(masked, FAILURE);

  const report = JSON.parse(readFileSync(file, "utf8"));
  const data = structuredClone(report);
  const schema = JSON.parse(readFileSync(join(DATA_FOLDER, "contract", "run-report.schema.json"), "utf8"));
  const isValid = new Ajv2020({ strict: true, strictRequired: false }).compile(schema);
  assert.ok(isValid(data), JSON.stringify(isValid.errors));
  assert.deepEqual(report.run.selection, { only: only.slice(1) });
  const again = await command(["--failed", file, "--reference", "--quiet"]);
  assert.equal(
    again.output,
    "No verdict, because only selected tests ran. Every required rule that they name is satisfied.\n",
  );
  assert.equal(again.status, 0);
  const passing = inFolder("passing.json");
  await command(["--reference", "--only", ONE, "--reporter", `json=${passing}`]);
  assert.match((await command(["--failed", passing, "--reference"])).errors, /the report has no failed test/);
});

test("--failed refuses a report with a failed test that the run cannot repeat", async () => {
  const file = inFolder("failed-before.json");
  await command(["--reference", "--only", ONE, "--reporter", `json=${file}`], { service: wrongScope });
  const report: ReportData = JSON.parse(readFileSync(file, "utf8"));
  for (const id of ["property/texts", "session/renamed"]) {
    const results = [...report.results, { ...report.results[0], id }];
    writeFileSync(file, JSON.stringify({ ...report, results }));
    const { status, errors } = await command(["--reference", "--failed", file, "--runs", "0"]);
    const message = `--failed ${file}: ${id} is not a test of this run; run without --failed\n`;
    assert.deepEqual([status, errors], [2, message]);
  }
});

test("a random seed is part of the command that repeats a failure", async () => {
  const args = ["run", "--reference", "--seed", "random", "--only", ONE];
  const { output } = await command(args, { service: wrongScope, terminal: { columns: 200 } });
  assert.match(output, / {2}repeat {5}npx launch-draft-conformance run --reference --seed 7 --only session/);
});

test("a baseline accepts the failures that it lists, and --choices compares behavior with a report", async () => {
  const [baseline, report] = [inFolder("known.yaml"), inFolder("behavior.json")];
  const args = ["--reference", "--only", ONE, "--baseline", baseline];
  const save = ["--reporter", "console", `json=${report}`];
  const first = await command([...args, "--update-baseline", ...save], { service: wrongScope });
  assert.equal(first.status, 0);
  assert.match(first.output, /\nPolicy {5}baseline \S+known\.yaml: 1 known failure\n/);
  const second = await command([...args, "--choices", report, "--quiet"]);
  assert.equal(second.status, 1);
  assert.match(second.output, / A policy fails the run\.\n$/);
  const third = await command(["--reference", "--only", ONE, "--choices", report]);
  assert.equal(third.status, 0);
  assert.match(third.output, /choices \S+behavior\.json: the observed\s+behavior\s+is\s+the\s+same\n/);
});

test("a failing property shows its steps and the command that repeats it, and saves a vector", async () => {
  const used = withResponses(({ status, body }) =>
    body["code"] === "EXPIRED_OR_USED_CHALLENGE"
      ? { status, body: { ...body, code: "INVALID_PROOF" } }
      : { status, body },
  );
  const args = ["--reference", "--only", "property/scenarios", "--runs", "20", "--seed", "2"];
  const { status, output } = await command([...args, "--save-failures", inFolder("found")], {
    service: used,
  });
  assert.equal(status, 1);
  const saved = readFileSync(inFolder("found/scenarios.yaml"), "utf8");
  const steps = saved.slice(saved.indexOf("steps:\n") + 7).replaceAll(/^ {6}/gm, "");
  assert.ok(output.includes(`FAILED  property/scenarios\n`));
  const shown = output.replaceAll(/^ {13}|^ {2}steps {6}/gm, "");
  assert.ok(shown.includes(steps), shown);
  assert.ok(output.includes("--only property/scenarios\n"));
  const baseline = [...args, "--baseline", inFolder("properties.yaml")];
  await command([...baseline, "--update-baseline"], { service: used });
  const known = await command(baseline, { service: used });
  assert.equal(known.status, 0);
  assert.match(known.output, /baseline \S+: \d+ known failures?\n/);
});

test("progress is a status line on a terminal and log lines elsewhere; environment variables control color", async () => {
  const args = ["--reference", "--only", ONE, "platform/same-twice"];
  const onTurn: Turn = (tick) => tick();
  const lines = await command(args, { onTurn });
  assert.match(
    lines.output,
    /\n\n1\/2 tests \(session\), \d requests, 5 s\n2\/2 tests, \d+ requests, 10 s\n\nRules/,
  );
  assert.doesNotMatch(lines.output, /ESC/);
  const terminal = { columns: 60 };
  const line = await command(args, { onTurn, terminal, service: wrongScope });
  assert.match(line.output, /\rESC\[K2\/2 tests, \d+ requests, 0 s, first failure: SESSION-3\rESC\[KRules/);
  assert.match(line.output, /ESC\[KESC\[1;31mFAILEDESC\[0m {2}session/);
  assert.doesNotMatch(line.output, /^ {2}.{59}/m);
  for (const [env, isColored, hasStatus] of [
    [{ NO_COLOR: "1", FORCE_COLOR: "1" }, false, true],
    [{ TERM: "dumb" }, false, false],
    [{ TERM: "dumb", FORCE_COLOR: "1" }, true, false],
  ] as const) {
    const { output } = await command(args, { onTurn, terminal, env, service: wrongScope });
    assert.equal(output.includes("ESC[1;31m"), isColored);
    assert.equal(output.includes("ESC[K"), hasStatus);
  }
});

test("without a reporter for people, standard error shows the progress and the verdict", async () => {
  const onTurn: Turn = (tick) => tick();
  const args = ["--reference", "--bail", "--only", ONE, "platform/same-twice"];
  for (const reporter of ["json", `json=${inFolder("silent.json")}`, `console=${inFolder("silent.txt")}`]) {
    const { errors } = await command([...args, "--reporter", reporter], { onTurn, service: wrongScope });
    assert.match(
      errors,
      /^1\/2 tests \(session\), \d+ requests, 5 s\n2\/2 tests, .*, first failure: SESSION-3\nNo verdict, .*\n$/,
    );
  }
});

test("the report of an earlier run does not outlast a start that fails, unless the command reads it", async () => {
  const [file, last, link] = [inFolder("stale.xml"), inFolder("last.json"), inFolder("link.html")];
  const only = ["--only", ONE, "--reporter", `junit=${file}`, `json=${last}`, `html=${link}`];
  await command(["--reference", ...only]);
  renameSync(link, inFolder("page.html"));
  symlinkSync(inFolder("page.html"), link);
  const openService = () => Promise.reject(new ImplementationError("no program"));
  const { status } = await command(["--reference", "--choices", last, ...only], { openService });
  assert.equal(status, 3);
  assert.deepEqual([existsSync(file), existsSync(last), readFileSync(link, "utf8")], [false, true, ""]);
  assert.equal((await command(["--reference", ...only, "--only", "nothing"])).status, 2);
  assert.equal(existsSync(last), false);
});

test("a signal ends the run with the results so far", async () => {
  const interruption = new AbortController();
  let turns = 0;
  const onTurn = () => {
    turns += 1;
    if (turns === 3) interruption.abort("interrupted by SIGINT");
  };
  const args = ["--reference", "--reporter", "json"];
  const { status, output, isClosed } = await command(args, { interrupted: interruption.signal, onTurn });
  assert.equal(status, 130);
  assert.ok(isClosed);
  const { run, results, verdict } = JSON.parse(output);
  assert.deepEqual(run.ended, { by: "signal", reason: "interrupted by SIGINT" });
  assert.equal(results.length, 3);
  assert.equal(verdict.conclusion, "undecided");
});

test("--bail ends the run at the first violation, even in a passed test of other rules", async () => {
  for (const [only, counts] of [
    ["session/*", "0 passed, 1 failed"],
    ["verify/honest-proof", "1 passed \\(1 of them shows violations of other rules\\), 0 failed"],
  ] as const) {
    const args = ["--reference", "--bail", "--only", only];
    const { status, output } = await command(args, { service: wrongScope });
    assert.equal(status, 1);
    assert.match(output, new RegExp(`^Tests {6}${counts}, 0 skipped, 0 errors, \\d+ not run`, "m"));
    assert.match(output, /The run ended early: \S+ is the first failure \(--bail\)\.\n$/);
  }
});

test("--bail does not end the run at failures and violations that the baseline lists", async () => {
  const file = inFolder("bail.yaml");
  const args = ["--reference", "--only", "session/*", "verify/honest-proof", "--baseline", file];
  await command([...args, "--update-baseline"], { service: wrongScope });
  const known = await command([...args, "--bail"], { service: wrongScope });
  assert.equal(known.status, 0);
  assert.doesNotMatch(known.output, /not run|ended early/);
  const text = readFileSync(file, "utf8");
  writeFileSync(file, text.replace(/rules: .*/, "rules: [SESSION-2]"));
  const changed = await command([...args, "--bail"], { service: wrongScope });
  assert.equal(changed.status, 1);
  assert.match(changed.output, /The run ended early: \S+ is the first new failure \(--bail\)\./);
});

test("a run that takes too long ends with the results so far, and is undecided", async () => {
  const service = { ...reference, createService: () => ({ handle: () => new Promise(() => {}) }) };
  for (const args of [
    ["--runs", "0"],
    ["--only", ONE],
  ]) {
    const { status, output } = await command(["--reference", "--max-duration", "1ms", ...args], { service });
    assert.equal(status, 4);
    const reason = "The run ended early: it reached its time limit of 0.001 s (--max-duration).";
    assert.ok(output.endsWith(`${reason}\n`), output);
  }
});

test("a file that cannot be written prevents no other output, and makes only a success fail", async () => {
  const [full, after, folder] = ["json=/dev/full", inFolder("after.xml"), "/dev/null/folder"];
  const args = ["--reference", "--only", ONE, "--reporter", full, `junit=${after}`];
  const passing = await command(args);
  const error = /^No verdict, .*\n\/dev\/full: cannot be written \(ENOSPC\)\n$/;
  assert.equal(passing.status, 2);
  assert.match(passing.errors, error);
  assert.match(readFileSync(after, "utf8"), /<testsuites name=/);
  const failing = await command(args, { service: wrongScope });
  assert.equal(failing.status, 1);
  assert.match(failing.errors, error);
  const property = ["--reference", "--only", "property/scenarios", "--runs", "20", "--seed", "2"];
  const saving = await command([...property, "--save-failures", folder], { service: wrongScope });
  assert.equal(saving.status, 1);
  assert.match(saving.errors, /^\/dev\/null\/folder\/scenarios\.yaml: cannot be written \(E\w+\)\n$/);
  const updating = ["--baseline", join(folder, "known.yaml"), "--update-baseline"];
  const baseline = await command(["--reference", "--only", ONE, ...updating], { service: wrongScope });
  assert.deepEqual([baseline.status, baseline.output.includes("FAILED")], [1, true]);
});

test("an internal error in a reporter prevents no other output, and ends the command with 70", async (context) => {
  context.mock.method(PRINTERS, "html", () => {
    throw new TypeError("a fault of the kit");
  });
  const [page, report] = [inFolder("faulty.html"), inFolder("intact.json")];
  const args = ["--reference", "--only", ONE, "--reporter", "console", `html=${page}`, `json=${report}`];
  const { status, output, errors } = await command(args);
  assert.equal(status, 70);
  assert.match(
    errors,
    /^internal error at main\.test\.ts:\d+:\d+: TypeError a fault of the kit; report it .*\n$/,
  );
  assert.match(output, /^Tests {6}1 passed/m);
  assert.equal(JSON.parse(readFileSync(report, "utf8")).tests.passed, 1);
  const broken = await command(["report", report], { isOutputLost: async () => true });
  assert.equal(broken.status, 2);
});

test("replay plays the vectors of a file, and gives no verdict", async () => {
  const file = inFolder("found.yaml");
  const vector = [
    "- id: scope",
    "  title: a session has the scope of the contract",
    "  rules: [SESSION-3]",
    "  steps: [{ session: { for: alice } }]",
  ];
  writeFileSync(file, ["suite: found", "vectors:", ...vector].join("\n"));
  const args = ["replay", file, "--reference"];
  const passing = await command([...args, "--reporter", "json"]);
  assert.equal(passing.status, 0);
  assert.deepEqual(JSON.parse(passing.output).run.selection, { file });
  const failing = await command(args, { service: wrongScope });
  assert.equal(failing.status, 1);
  assert.match(failing.output, /^ {2}vector {5}\S*found\.yaml:6, step 1,/m);
  assert.match(failing.output, /replay \S+found\.yaml(?: \\\n +)? ?--reference --only found\/scope\n/);
});

test("a selection that tests nothing is undecided", async () => {
  const { status, output } = await command(["--reference", "--only", "over-http/*", "--quiet"]);
  assert.equal(status, 4);
  assert.equal(
    output,
    "No verdict, because only selected tests ran. Not every required rule that they name was tested.\n",
  );
});

const NOT_A_REPORT = inFolder("old.json");
writeFileSync(NOT_A_REPORT, '{"results": []}');

const USAGE_ERRORS: readonly (readonly [string, string])[] = [
  ["rnu", 'unknown command "rnu"; did you mean "run"?'],
  ["run x.mjs", "unexpected argument x.mjs; did you mean --module x.mjs?"],
  ["http://127.0.0.1:1", "unexpected argument http://127.0.0.1:1; did you mean --url http://127.0.0.1:1?"],
  ["run --job 2", 'unknown option "--job"; did you mean "--jobs"?'],
  ["run --module", "--module requires a value: --module <file>"],
  ["platform", 'unknown command "platform"; "--help" lists all'],
  ["run -x", 'unknown option "-x"; "run --help" lists all'],
  ["run --bail=yes", "--bail takes no value, got yes"],
  ["run --seed 1 --seed 2", "--seed is given twice; give it once"],
  ["run --jobs 65", "--jobs must be an integer from 1 to 64, got 65"],
  ["run --timeout 5", "--timeout must be a duration such as 500ms, 5s, or 2m, got 5"],
  ["run --timeout 99999m", "--timeout must be at most 35000m, got 99999m"],
  ["run --shard 3/2", "--shard must be I/N, such as 1/4, with I from 1 to N, got 3/2"],
  ["run --module a.ts --url http://127.0.0.1", "--module and --url cannot be combined; give one"],
  ["run --control-url http://127.0.0.1", "--control-url requires --url; add --url <url>"],
  ["replay --reference", "replay requires <file>: replay <file>"],
  ["run --command=", '--command must be a command, such as "python3 service.py", got an empty text'],
  ["replay missing.yaml --reference", "missing.yaml: no such file or folder"],
  ["merge", "merge requires <report...>: merge <report...>"],
  ["compare a.json", "compare requires <report>: compare <report> <report>"],
  ["compare a.json b.json c.json", "unexpected argument c.json; remove it"],
  ["report a.json", "a.json: no such file or folder"],
  ["explain", "explain requires <id>: explain <id>"],
  ["explain toString", 'unknown ID "toString"; "list", "list --rules", and "list --points" show all'],
  ["explain ", "explain requires <id>: explain <id>"],
  ["run --module ", "--module must be a name, got an empty text"],
  ["list --only ", "--only must be a glob of IDs, got an empty text"],
  [
    `run --reference --only ${"a".repeat(70_000)}`,
    "--only must be a glob of at most 1000 characters, got 70000",
  ],
  [
    "run --reference --only platform/same-twice --allow-not-tested ",
    "--allow-not-tested must be a glob of IDs, got an empty text",
  ],
  ["explain ERROR-1 ERROR-2", "unexpected argument ERROR-2; remove it"],
  ["explain IDEMPOTENCY_CONFLIT", 'unknown ID "IDEMPOTENCY_CONFLIT"; did you mean "IDEMPOTENCY_CONFLICT"?'],
  [
    "run --reporter xml",
    `--reporter must be one of ${Object.keys(PRINTERS).join(", ")}, or NAME=FILE, got xml`,
  ],
  [
    "run --reference --reporter json junit",
    "--reporter junit: reporter json also writes to standard output; add =FILE to one of them",
  ],
  [
    "run --reference --reporter json=report junit=./report",
    "--reporter junit=./report: reporter json also writes to ./report; choose another file",
  ],
  [
    "run --reference --only chalenge/*",
    '--only chalenge/*: no vector or property matches; did you mean "challenge/*"?',
  ],
  [
    "run --reference --only platform/same-twice --shard 1/2 --failed NOT_A_REPORT",
    `${NOT_A_REPORT}: not a report (the file has no "kit"); create one with --reporter json=FILE`,
  ],
];

test("usage errors say what is wrong and what to do", async () => {
  for (const [line, message] of USAGE_ERRORS) {
    const args = line.split(" ").map((word) => (word === "NOT_A_REPORT" ? NOT_A_REPORT : word));
    const { status, output, errors } = await command(args);
    assert.deepEqual({ status, output, errors }, { status: 2, output: "", errors: `${message}\n` });
  }
});

test("an error before the run, or in the files of its reporters, is an annotation for the reporter github", async () => {
  const file = inFolder("wrong.yaml");
  writeFileSync(file, "suite: found\nvectros: []\n");
  const title = "title=launch-draft-conformance";
  for (const [args, annotation] of [
    [["run", "--sed", "1"], `${title}::unknown option "--sed"; did you mean "--seed"?`],
    [["replay", file, "--reference"], `file=wrong.yaml,line=2,${title}::${file}:2:1: unknown key "vectros"`],
    [
      ["--reference", "--only", ONE, "--reporter", "json=/dev/full"],
      `${title}::/dev/full: cannot be written`,
    ],
  ] as const) {
    const { status, output } = await command([...args, "--reporter", "github"], {
      env: { GITHUB_WORKSPACE: folder },
    });
    assert.equal(status, 2);
    assert.ok(output.includes(`::error ${annotation}`), output);
  }
});

test("help lists every option, and fits into 80 columns", async () => {
  const { status, output } = await command(["run", "--help"]);
  assert.equal(status, 0);
  assert.match(output, /^ {2}--jobs <jobs> {15}threads, or parallel requests to a URL \(default: 1$/m);
  assert.doesNotMatch(output, /.{81}/);
  const all = (await command(["--help"])).output;
  assert.match(all, /^Inspect:\n {2}list {24}list tests, rules, or open points\n {2}explain <id> /m);
  assert.doesNotMatch(all, /.{81}/);
  assert.equal((await command(["--version"])).output, "0.1.0\n");
});
