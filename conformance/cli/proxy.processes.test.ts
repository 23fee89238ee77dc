import assert from "node:assert/strict";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { createInterface } from "node:readline";
import { type TestContext, test } from "node:test";
import { proxyLoad } from "../../scripts/proxy-load/proxy-load.ts";
import { startProxy } from "../../scripts/proxy-load/start-proxy.ts";
import { PROGRAM, startCli } from "../testing/cli-process.ts";
import { servedReference } from "../testing/proxy/double-taking-service.ts";
import { visit } from "../testing/proxy/visit.ts";
import { temporaryFile } from "../testing/temporary-file.ts";

/** Starts the proxy as a process, and reads its screen line by line. */
async function started(context: TestContext, words: readonly string[]) {
  const child = startCli(["proxy", ...words]);
  context.after(() => child.kill("SIGKILL"));
  const { stdout, stderr } = child;
  assert.ok(stdout && stderr);
  const [screen, report]: [string[], string[]] = [[], []];
  const reader = createInterface({ input: stderr }).on("line", (line) => screen.push(line));
  stdout.on("data", (text) => report.push(String(text)));
  const closed = once(child, "close");
  await once(reader, "line");
  return {
    url: screen[0]?.split(" ")[0] ?? "",
    async until(fits: RegExp) {
      while (!screen.some((line) => fits.test(line))) await once(reader, "line");
    },
    async end(signal: "SIGINT" | "SIGTERM") {
      child.kill(signal);
      const [status] = await closed;
      return { status, screen: screen.join("\n"), report: report.join("") };
    },
  };
}

test("a broken service is told while it runs, by a thread beside the requests, and Ctrl-C ends it with a report", async (context) => {
  const service = await servedReference(context, { broken: true });
  const record = temporaryFile(context, "traffic.jsonl", "");
  const { url, until, end } = await started(context, ["--url", service, "--record", record]);
  await visit(url, "alice");
  await until(/^CHALLENGE-22 {2}.* request 5, POST \/v1\/auth\/verify: .*; see request 3$/);
  const { status, screen, report } = await end("SIGINT");
  assert.equal(status, 1);
  assert.match(screen, /^recorded: 5 exchanges in /m);
  assert.match(report, /^does not conform: 1 finding against 1 rule, in 5 exchanges/m);
  assert.equal(readFileSync(record, "utf8").trimEnd().split("\n").length, 6);
});

test("SIGTERM ends it, too, and where nothing was found its status is 0", async (context) => {
  const service = await servedReference(context, { broken: false });
  const { url, end } = await started(context, ["--url", service, "--reporter", "json"]);
  assert.deepEqual(await visit(url, "alice"), [200, 200, 200, 200, 401]);
  const { status, report } = await end("SIGTERM");
  assert.equal(status, 0);
  assert.equal(JSON.parse(report).audit.judged, 5);
});

test("under load all comes through to the byte, though clients break off and the service dies", async () => {
  const load = { requests: 1_500, connections: 40 };
  const outcome = await proxyLoad(load, (url) => startProxy([PROGRAM], url, []));
  const { faults, brokenOff } = outcome;
  assert.deepEqual(faults, []);
  assert.ok(brokenOff > 10);
});
