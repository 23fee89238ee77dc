import assert from "node:assert/strict";
import { EventEmitter, once } from "node:events";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { type TestContext, test } from "node:test";
import { setImmediate as soon } from "node:timers/promises";
import { MACHINE_TIME } from "../machine-time.ts";
import type { GatedReport } from "../policies/gated-report.ts";
import type { BesideWork, WorkThread } from "../proxy/beside.ts";
import { LiveJudge } from "../proxy/live-judge.ts";
import { Recorder } from "../proxy/recorder.ts";
import { servedReference } from "../testing/proxy/double-taking-service.ts";
import { visit } from "../testing/proxy/visit.ts";
import { WorkInPlace } from "../testing/proxy/work-thread.ts";
import { runCli } from "../testing/run-cli.ts";
import { temporaryDirectory, temporaryFile } from "../testing/temporary-file.ts";
import { CHANCE } from "./chance.ts";
import { type ProxyCommandOptions, type ProxyEdge, proxyCommand } from "./proxy-command.ts";
import type { ProxyThreadData } from "./proxy-threads.ts";

const HOSTS = { metadataHosts: ["gateway-a.example", "gateway-b.example"] };
const DEFAULTS = {
  port: 0,
  host: "127.0.0.1",
  keepHost: false,
  showSecrets: false,
  clients: false,
  clientReporter: [],
  reporter: [],
  verbose: false,
};

/** Does what a thread would do in this one. */
const inPlace = (data: ProxyThreadData) =>
  new WorkInPlace(
    (data.task === "record" ? new Recorder(data.recorder) : new LiveJudge(data.judge)) as BesideWork<
      unknown,
      unknown
    >,
  );

/** Starts a proxy in this process, where the test says how time passes. */
async function proxied(
  context: TestContext,
  options: Partial<ProxyCommandOptions> & Pick<ProxyCommandOptions, "url">,
  startThread: (data: ProxyThreadData) => unknown = inPlace,
) {
  const events = new EventEmitter();
  let laterMs = 0;
  const [screen, report]: [string[], string[]] = [[], []];
  const line = once(events, "err");
  const edge: ProxyEdge = {
    output: {
      out: (text) => report.push(text),
      err: (text) => {
        screen.push(text);
        events.emit("err");
      },
      color: false,
      width: 110,
      live: false,
    },
    time: { ...MACHINE_TIME, now: () => MACHINE_TIME.now() + laterMs },
    chance: CHANCE,
    stop: once(events, "stop").then(() => undefined),
    every: (_, tick) => {
      events.on("tick", tick);
      return () => events.off("tick", tick);
    },
    startThread: startThread as <Told, End>(data: ProxyThreadData) => WorkThread<Told, End>,
  };
  const status = proxyCommand({ ...DEFAULTS, ...options }, edge);
  context.after(() => events.emit("stop"));
  await Promise.race([line, status]);
  const [url = ""] = screen.join("").split(" ");
  return {
    url,
    screen,
    /** Lets time pass until so many lines are on the screen. */
    async untilLines(count: number): Promise<void> {
      for (; screen.length < count; laterMs += 100) {
        events.emit("tick");
        await soon();
      }
    },
    async end() {
      events.emit("stop");
      return { status: await status, report: report.join("") };
    },
  };
}

test("a service that keeps the contract is seen, and nothing is found", async (context) => {
  const service = await servedReference(context, { broken: false });
  const { url, screen, end } = await proxied(context, { url: service, ...HOSTS });
  assert.deepEqual(await visit(url, "alice"), [200, 200, 200, 200, 401]);
  const { status, report } = await end();
  assert.equal(status, 0);
  assert.match(report, /^nothing found: in 5 exchanges$/m);
  assert.ok(report.includes(`\n${service} as it answered, through the proxy\n5 exchanges recorded`));
  const [ready, passed] = screen;
  assert.equal(
    ready,
    `${url} passes on to ${service}\n  judged as it passes; Ctrl-C ends it with a report\n`,
  );
  assert.match(
    passed ?? "",
    /^passed: 5 requests, 5 answered\n {2}bodies of \d+ bytes one way, \d+ the other\n/,
  );
  assert.equal(screen.length, 2);
});

test("a finding is on the screen with the next look, while requests go on passing, and in the report", async (context) => {
  const service = await servedReference(context, { broken: true });
  const file = temporaryFile(context, "report.json", "");
  const saveFailures = temporaryDirectory(context);
  const { url, screen, untilLines, end } = await proxied(context, {
    url: service,
    saveFailures,
    reporter: ["console", `json=${file}`],
  });
  assert.deepEqual(await visit(url, "alice"), [200, 200, 200, 200, 200]);
  await untilLines(2);
  const found = screen.slice(1);
  assert.equal(found.length, 1);
  assert.match(
    found[0] ?? "",
    /^CHALLENGE-22 {2}[\d:.]+ request 5, POST \/v1\/auth\/verify: expected 401 EXPIRED_OR_USED_CHALLENGE.*, got 200; see request 3\n$/,
  );
  assert.deepEqual(await visit(url, "bob"), [200, 200, 200, 200, 200]);
  const { status, report } = await end();
  assert.equal(status, 1);
  const vector = join(saveFailures, "audit-CHALLENGE-22.yaml");
  assert.equal(screen.at(-1), `${vector} written\n`);
  assert.equal((await runCli(["replay", vector])).status, 0);
  assert.match(report, /^FAILED {2}audit\/CHALLENGE-22 {3}traffic:5, step 1\.2$/m);
  assert.match(report, /^ {2}again {5}.* proxy --url http:\/\/127\.0\.0\.1:\d+$/m);
  assert.match(report, /^ {2}got {7}200 \{"bearer":"masked:[\w-]{22}",/m);
  assert.match(report, /^does not conform: 2 findings against 1 rule, in 10 exchanges/m);
  const { verdict, adapter, implementation } = JSON.parse(readFileSync(file, "utf8")) as GatedReport;
  assert.deepEqual([verdict, adapter, implementation.name], ["does-not-conform", "proxy", service]);
});

test("with --clients what they send is judged, too, and told in a report of its own", async (context) => {
  const service = await servedReference(context, { broken: false });
  const file = temporaryFile(context, "clients.json", "");
  const clientReporter = ["console", `json=${file}`];
  const { url, screen, untilLines, end } = await proxied(context, {
    url: service,
    ...HOSTS,
    clients: true,
    clientReporter,
  });
  assert.deepEqual(await visit(url, "alice"), [200, 200, 200, 200, 401]);
  await untilLines(2);
  assert.match(
    screen[1] ?? "",
    /^CLIENT-PROOF-4 {2}[\d:.]+ request 5, POST \/v1\/auth\/verify for \w+: a proof is sent for a challenge that is used up: .* after request 3 was answered 200; see requests 2, 3, 4\n$/,
  );
  const { status, report } = await end();
  assert.equal(status, 1);
  assert.match(
    report,
    /^nothing found: in 5 exchanges$[\s\S]*^FAILED {2}audit\/CLIENT-PROOF-4 {3}traffic:5, step 1\.4$/m,
  );
  assert.match(report, /^ {2}got {7}id \w+ again, after the request at traffic:3 was answered 200$/m);
  assert.match(report, /^ {2}again {5}.* proxy --url \S+ .*--clients$/m);
  assert.match(report, /^unknown {2}traffic does not tell which launches a client was given/m);
  assert.match(report, /CLIENT-BUILD-5/);
  assert.ok(
    report.includes(`\nclients of ${service} as they asked, through the proxy\n5 exchanges recorded`),
  );
  const { side, verdict, results } = JSON.parse(readFileSync(file, "utf8")) as GatedReport;
  assert.deepEqual([side, verdict], ["client", "does-not-conform"]);
  assert.match(results[0]?.title ?? "", /^one request breaks it, of creator \w{32,44}$/);
});

test("what is recorded is judged alike by audit, though its secrets are masked", async (context) => {
  for (const broken of [false, true]) {
    const service = await servedReference(context, { broken });
    const record = temporaryFile(context, `${broken}.har`, "");
    const { url, screen, end } = await proxied(context, { url: service, record });
    await visit(url, "alice");
    const { status, report } = await end();
    assert.match(screen.join(""), /^recorded: 5 exchanges in .*\.har$/m);
    if (broken) assert.match(report, new RegExp(`^ {2}again {5}.* audit ${record}$`, "m"));
    assert.doesNotMatch(readFileSync(record, "utf8"), /Bearer (?!masked:)/);
    const audited = await runCli(["audit", record]);
    assert.deepEqual([audited.status, audited.stderr], [status, ""]);
    assert.equal(/CHALLENGE-22/.test(audited.stdout), broken);
    assert.doesNotMatch(audited.stdout, /BEARER-FORMAT|SESSION-14/);
    const both = await runCli(["audit", record, "--clients", "--client-reporter", "console"]);
    assert.deepEqual([both.status, both.stderr], [1, ""]);
    assert.deepEqual(
      [...both.stdout.matchAll(/^FAILED {2}audit\/(CLIENT-\S+)/gm)].map(([, rule]) => rule),
      ["CLIENT-PROOF-4"],
    );
  }
});

test("a judge that breaks is told on the screen and in the report, and requests pass", async (context) => {
  const service = await servedReference(context, { broken: false });
  const threads: WorkInPlace<unknown, unknown>[] = [];
  const { url, screen, end } = await proxied(context, { url: service }, (data) => {
    threads.push(inPlace(data));
    return threads.at(-1);
  });
  await visit(url, "alice");
  threads[0]?.die("Worker terminated due to reaching memory limit");
  assert.deepEqual(await visit(url, "bob"), [200, 200, 200, 200, 401]);
  const { status, report } = await end();
  const broke = "Worker terminated due to reaching memory limit";
  assert.equal(screen[1], `the judge broke, and what follows is not judged: ${broke}\n`);
  assert.match(screen.join(""), /^passed: 10 requests, 10 answered$/m);
  assert.match(report, new RegExp(`the judge broke: ${broke}`));
  assert.notEqual(status, 0);
});

test("a recording that breaks costs the exit status, and no request", async (context) => {
  const service = await servedReference(context, { broken: false });
  const record = temporaryFile(context, "traffic.har", "");
  const threads: WorkInPlace<unknown, unknown>[] = [];
  const { url, screen, end } = await proxied(context, { url: service, record }, (data) => {
    threads.push(inPlace(data));
    return threads.at(-1);
  });
  threads[0]?.die("no more memory");
  assert.deepEqual(await visit(url, "alice"), [200, 200, 200, 200, 401]);
  assert.equal((await end()).status, 2);
  assert.match(
    screen.join(""),
    /^the recording broke \(no more memory\): what follows will be missing in it$/m,
  );
  assert.match(screen.join(""), /^the recording broke: no more memory$/m);
});

test("nothing that passed is nothing judged", async (context) => {
  const service = await servedReference(context, { broken: false });
  const { end } = await proxied(context, { url: service });
  const { status, report } = await end();
  assert.equal(status, 4);
  assert.match(report, /^nothing judged/m);
});

test("a service that cannot be reached is told, and lines of a kind are counted after the third", async (context) => {
  const { url, screen, end } = await proxied(context, { url: "http://127.0.0.1:1" });
  for (let count = 0; count < 5; count++) assert.equal((await fetch(url)).status, 502);
  assert.equal((await end()).status, 4);
  assert.match(
    screen.join(""),
    /(?:^http:\/\/127\.0\.0\.1:1 cannot be reached: .*\n){3} {2}\(more like this/m,
  );
  assert.equal(screen.filter((line) => line.includes("cannot be reached")).length, 3);
  assert.match(screen.join(""), /^passed: 5 requests, 0 answered, 5 answered 502 by the proxy, which could/m);
});

test("what is wrong with the options is one line, before anything passes", async (context) => {
  const facts = temporaryFile(context, "facts.yaml", "operatorkey: x\n");
  const file = "no/such/folder/traffic.har";
  for (const [words, said] of [
    [["--url", "ftp://a"], "URL ftp://a: must begin with http:// or https://\n"],
    [["--url", "http://a?b"], "URL http://a?b: must not carry a query or a fragment\n"],
    [["--url", "http://a", "--record", file], `--record ${file}: cannot be written (ENOENT)\n`],
    [["--url", "http://a", "--facts", facts], `${facts}:1:1: operatorkey is no name of the protocol`],
    [["--url", "http://a", "--metadata-hosts", "a"], "--metadata-hosts takes the two hosts, A B\n"],
    [["--url", "http://a", "--host", "203.0.113.7"], "cannot listen on 203.0.113.7:0: "],
    [["--url", "http://a", "--reporter", "jsn"], "--reporter jsn: there is no such reporter"],
    [["--url", "http://a", "--client-reporter", "json"], "--client-reporter goes with --clients\n"],
    [[], "error: required option '--url <url>' not specified\n"],
  ] as const) {
    const { status, stdout, stderr } = await runCli(["proxy", ...words]);
    assert.deepEqual([status, stdout], [2, ""]);
    assert.ok(stderr.startsWith(said), stderr);
  }
  assert.ok(!existsSync(file));
});
