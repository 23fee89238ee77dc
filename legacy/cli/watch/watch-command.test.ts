import assert from "node:assert/strict";
import { existsSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { type TestContext, test } from "node:test";
import { AdapterFault } from "../../adapters/adapter.ts";
import { inProcessAdapter } from "../../adapters/in-process.ts";
import { spoiled } from "../../testing/reference.ts";
import { temporaryDirectory } from "../../testing/temporary-file.ts";
import { CHANCE } from "../chance.ts";
import type { LastRun } from "../last-run.ts";
import type { RunCommandOptions } from "../run-command.ts";
import { watchCommand } from "./watch-command.ts";

/** What never happens must not be waited for for ever. */
const HANGS = { timeout: 120_000 };

const OPTIONS: RunCommandOptions = {
  only: ["platform/constants", "routes/*"],
  seed: 1,
  bail: false,
  runs: 0,
  exhaustive: 0,
  timeoutMs: 5_000,
  maxWaitMs: 0,
  allowUntried: [],
  reporter: [],
  verbose: false,
};

/** A watch of a service whose profile has the mode that was saved; `said` waits until it has printed something, from where the last wait ended. */
function watching(context: TestContext, more: object = {}, first = "LIVE") {
  const cwd = temporaryDirectory(context);
  const module = join(cwd, "service.ts");
  let service = "";
  const save = (mode: string) => {
    service = mode;
    writeFileSync(module, mode);
  };
  save(first);
  let gone = 0;
  const reach = () => {
    if (gone-- > 0) throw new AdapterFault("connection refused", { fatal: true });
    if (service === "half") throw new AdapterFault("service.ts cannot be loaded: half", { fatal: true });
    const mode = service;
    const spoilt = spoiled(({ body }) => {
      if (mode === "hangs") {
        out("ASKED\n");
        return new Promise(() => {});
      }
      if (body.termsStatus !== undefined) body.mode = mode;
      return undefined;
    });
    return inProcessAdapter(spoilt, { name: "service" });
  };
  let text = "";
  let read = 0;
  let wake = () => {};
  const out = (piece: string) => {
    text += piece;
    wake();
  };
  let press: (key: string) => void = () => {};
  let last: LastRun | undefined;
  const ended = watchCommand({ ...OPTIONS, module, ...more } as RunCommandOptions, {
    output: { out, err: out, color: false, width: 100, live: false },
    time: { now: () => Date.now(), sleep: () => new Promise((resolve) => setImmediate(resolve)) },
    chance: CHANCE,
    cwd,
    reach,
    every: () => () => undefined,
    keys: (onKey) => {
      press = onKey;
      return () => undefined;
    },
    clear: () => out("CLEAR\n"),
    stop: () => new Promise(() => {}),
    lastRuns: {
      read: () => last,
      write: (_, run) => {
        last = run;
      },
    },
  });
  context.after(() => press("q"));
  const said = async (pattern: RegExp): Promise<string> => {
    for (;;) {
      const match = pattern.exec(text.slice(read));
      if (match !== null) {
        const [from, to] = [read, read + match.index + match[0].length];
        read = to;
        return text.slice(from, to);
      }
      await new Promise<void>((resolve) => {
        wake = resolve;
      });
    }
  };
  const leave = (times: number) => {
    gone = times;
  };
  return { leave, save, said, ended, press: (key: string) => press(key), lastRun: () => last };
}

const END = /^watching \d+ files · Enter: all again · q: end$/m;

test(
  "each save is judged: first what failed, then everything; what was mended and what broke is told",
  HANGS,
  async (context) => {
    const page = join(temporaryDirectory(context), "page.html");
    const { save, said, ended, press, lastRun } = watching(context, { reporter: [`html=${page}`] });
    const first = await said(END);
    assert.match(first, /^CLEAR\n--module \S+service\.ts\n\nFAILED {2}platform\/constants\/between-seconds /);
    assert.doesNotMatch(first, /^(?:mended|broke) /m);
    assert.ok(existsSync(page));
    save("OFFLINE_PROTOTYPE");
    const mended = await said(END);
    assert.match(
      mended,
      /^CLEAR\n--module \S+service\.ts · service\.ts saved\n\n3 of 3 that failed are mended; now everything\n\nmended {3}3: platform\/constants \(3\)\n/m,
    );
    assert.match(mended, /^selection passed: /m);
    assert.deepEqual(lastRun()?.failed, []);
    save("LIVE");
    assert.match(await said(END), /^broke {4}3: platform\/constants \(3\)\n\nFAILED /m);
    press("\r");
    const again = await said(END);
    assert.doesNotMatch(again, /saved|that failed|mended|broke /);
    press("q");
    assert.equal(await ended, 1);
  },
);

test(
  "a module that cannot be loaded is a line, and the next save is judged; Ctrl-C ends with the last status",
  HANGS,
  async (context) => {
    const { save, said, ended, press } = watching(context);
    await said(END);
    save("half");
    const broken = await said(END);
    assert.match(
      broken,
      /^the implementation could not be run: service\.ts cannot be loaded: half\n\nwatching/m,
    );
    save("OFFLINE_PROTOTYPE");
    assert.match(await said(END), /^mended {3}3: /m);
    press("\u0003");
    assert.equal(await ended, 0);
  },
);

test("a save abandons the run that goes on, and so does q", HANGS, async (context) => {
  const { save, said, ended, press } = watching(context, {}, "hangs");
  await said(/ASKED/);
  save("OFFLINE_PROTOTYPE");
  const next = await said(END);
  assert.match(next, /^CLEAR\n.*service\.ts saved\n/m);
  assert.match(next, /^selection passed: /m);
  save("hangs");
  await said(/ASKED/);
  press("q");
  assert.equal(await ended, 0);
});

test("what a watch has no use for is said", HANGS, async (context) => {
  for (const [options, message] of [
    [
      { module: undefined },
      "--watch needs an implementation to watch: --module FILE, or another with --restart-on GLOB",
    ],
    [
      { module: undefined, command: "x" },
      "--watch needs --restart-on GLOB here: the files at whose change to judge again",
    ],
    [{ failed: true }, "--failed does not go with --watch"],
    [{ updateBaseline: true }, "--update-baseline does not go with --watch"],
    [{ reporter: ["dot"] }, "--reporter dot: --watch has the screen to itself; give a file (dot=FILE)"],
  ] as const)
    await assert.rejects(watching(context, options).ended, {
      name: "UsageError",
      message,
    });
});

test(
  "a server that starts anew at a save is awaited, and one that does not come back is told",
  HANGS,
  async (context) => {
    const { leave, save, said, ended, press } = watching(context, {
      module: undefined,
      url: "http://127.0.0.1:1",
      restartOn: ["service.ts"],
    });
    assert.match(await said(END), /^FAILED /m);
    leave(5);
    save("OFFLINE_PROTOTYPE");
    assert.match(await said(END), /^mended {3}3: /m);
    leave(1_000);
    save("LIVE");
    assert.match(await said(END), /^the implementation could not be run: connection refused$/m);
    press("q");
    assert.equal(await ended, 3);
  },
);
