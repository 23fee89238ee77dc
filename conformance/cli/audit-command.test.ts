import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { type TestContext, test } from "node:test";
import { Ajv2020 } from "ajv/dist/2020.js";
import { keyPairOf } from "../contract/keys/key-pair.ts";
import type { Recorded } from "../engine/audit/recorded.ts";
import { PATHS } from "../paths.ts";
import { recordedLines } from "../testing/recordings/lines.ts";
import { Traffic } from "../testing/recordings/traffic.ts";
import { runCli } from "../testing/run-cli.ts";
import { temporaryDirectory, temporaryFile } from "../testing/temporary-file.ts";

const ALICE = keyPairOf("alice of the audits");

/** A challenge that opens two sessions. */
async function brokenTraffic(): Promise<Traffic> {
  const traffic = await Traffic.begun();
  const challenge = await traffic.challenge(ALICE);
  const first = await traffic.verify(challenge, ALICE);
  await traffic.verify(challenge, ALICE);
  const body = { ...first.body, bearer: "a-second-\u001b[31mbearer-<b>of</b>-alice" };
  traffic.spoil((answer) => Object.assign(answer, first, { body }));
  return traffic;
}

function recording(context: TestContext, items: readonly Recorded[], complete = false): string {
  return temporaryFile(context, "traffic.jsonl", recordedLines({ complete, facts: {} }, items));
}

const audit = (...words: readonly string[]) => runCli(["audit", ...words]);

test("right traffic ends with 0, and says what was not known", async (context) => {
  const traffic = await Traffic.begun();
  const bearer = await traffic.session(ALICE);
  await traffic.build(ALICE, bearer, "some-key-001");
  const { status, stdout, stderr } = await audit(recording(context, traffic.items.slice(2)));
  assert.deepEqual([status, stderr], [0, ""]);
  assert.match(stdout, /^3 exchanges recorded, 3 judged, the recording may be incomplete$/m);
  assert.match(stdout, /^unknown {2}nobody stated the metadata hosts \(--metadata-hosts A B\): 1 exchange$/m);
  assert.match(stdout, /^nothing found: in 3 exchanges$/m);
  const hosts = ["--metadata-hosts", "gateway-a.example", "gateway-b.example"];
  const told = await audit(recording(context, traffic.items), ...hosts);
  assert.doesNotMatch(told.stdout, /metadata hosts/);
});

test("what is broken ends with 1, with the exchanges that show it", async (context) => {
  const { items } = await brokenTraffic();
  const file = recording(context, items);
  const { status, stdout } = await audit(file);
  assert.equal(status, 1);
  const shown = stdout.replaceAll(file, "traffic.jsonl");
  assert.match(shown, /^FAILED {2}audit\/CHALLENGE-22 {3}traffic\.jsonl:6, step 1\.2$/m);
  assert.match(shown, /^ {2}before {4}\+0\.000 s {2}POST \/v1\/auth\/verify → 200 {2}\(traffic\.jsonl:5\)$/m);
  assert.match(shown, /^ {2}again {5}npx launch-draft-conformance audit traffic\.jsonl$/m);
  assert.match(shown, /^does not conform: 1 finding against 1 rule, in 4 exchanges$/m);
  assert.ok(!stdout.includes("\u001b"));
});

test("every reporter writes it, and json keeps its schema", async (context) => {
  const { items } = await brokenTraffic();
  const folder = temporaryDirectory(context);
  const names = ["json", "html", "junit", "tap", "github", "console"];
  const reporters = names.flatMap((name) => ["--reporter", `${name}=${join(folder, name)}`]);
  const { status, stderr } = await audit(recording(context, items), ...reporters);
  assert.deepEqual([status, stderr], [1, ""]);
  const report = JSON.parse(readFileSync(join(folder, "json"), "utf8")) as { audit: { findings: number } };
  const ajv = new Ajv2020({ allowUnionTypes: true });
  const validate = ajv.compile(JSON.parse(readFileSync(PATHS.reportSchema, "utf8")));
  validate(report);
  assert.equal(validate.errors, null, ajv.errorsText(validate.errors));
  assert.deepEqual(report.audit.findings, 1);
  const page = readFileSync(join(folder, "html"), "utf8");
  assert.match(page, /audit\/CHALLENGE-22/);
  assert.match(page, /<h2>Timelines<\/h2>/);
  assert.ok(!page.includes("bearer-<b>"));
  assert.match(readFileSync(join(folder, "junit"), "utf8"), /audit\/CHALLENGE-22/);
  const none = await audit(recording(context, items), "--reporter", "badge");
  assert.match(none.stderr, /^badge: not written, since no verdict is given$/m);
});

test("a finding is written as a vector, which a right service keeps", async (context) => {
  const { items } = await brokenTraffic();
  const folder = temporaryDirectory(context);
  const { status, stderr } = await audit(recording(context, items), "--save-failures", folder);
  const file = join(folder, "audit-CHALLENGE-22.yaml");
  assert.deepEqual([status, stderr], [1, `${file} written\n`]);
  assert.equal(
    readFileSync(file, "utf8"),
    `suite: recorded
vectors:
  - id: recorded-challenge-22
    title: the service keeps CHALLENGE-22, which it broke in recorded traffic
    rules: [ CHALLENGE-22 ]
    steps:
      - challenge: { for: alice }
        as: step1
      - verify: { challenge: $step1 }
      - advance: 1ms
      - verify: { challenge: $step1 }
        expect: 401 EXPIRED_OR_USED_CHALLENGE
`,
  );
  const replayed = await runCli(["replay", file]);
  assert.equal(replayed.status, 0, replayed.stdout);
  const masked = items.map((item) =>
    item.kind === "exchange" && typeof item.request.body === "string"
      ? {
          ...item,
          request: { ...item.request, body: item.request.body.replace(/(Base64":")[^"]+/, "$1masked:1") },
        }
      : item,
  );
  const told = await audit(recording(context, masked), "--save-failures", folder);
  assert.equal(told.stderr, "audit/CHALLENGE-22: not written as a vector: the signature is masked\n");
});

test("a baseline knows findings", async (context) => {
  const { items } = await brokenTraffic();
  const file = recording(context, items);
  const baseline = join(temporaryDirectory(context), "known.yaml");
  const written = await audit(file, "--baseline", baseline, "--update-baseline");
  assert.equal(written.status, 0, written.stdout);
  assert.match(readFileSync(baseline, "utf8"), /audit\/CHALLENGE-22/);
  assert.equal((await audit(file, "--baseline", baseline)).status, 0);
  const right = recording(context, items.slice(0, -1));
  assert.equal((await audit(right, "--baseline", baseline)).status, 0);
});

test("a file that is broken is told with its place", async (context) => {
  const file = temporaryFile(context, "bad.jsonl", '{"at": 1}\n');
  assert.deepEqual(await audit(file), {
    status: 2,
    stdout: "",
    stderr: `${file}:1: the line lacks "request"\n`,
  });
  const missing = join(temporaryDirectory(context), "none.har");
  assert.equal((await audit(missing)).stderr, `${missing}: cannot be read (ENOENT)\n`);
  const hosts = await audit(file, "--metadata-hosts", "one.example");
  assert.deepEqual([hosts.status, hosts.stderr], [2, "--metadata-hosts takes the two hosts, A B\n"]);
  const empty = await audit(temporaryFile(context, "empty.jsonl", ""));
  assert.equal(empty.status, 4, empty.stderr);
  assert.match(empty.stdout, /^nothing judged: in 0 exchanges$/m);
});
