import assert from "node:assert/strict";
import { test } from "node:test";
import { reference } from "../testing/reference.ts";
import { judge } from "./judge.ts";
import type { JudgeOptions } from "./judge-options.ts";
import { judgeAsked } from "./judge-options.ts";

const target = { service: reference };

test("what is wrong about an option is one line, with the nearest name", () => {
  for (const [options, message] of [
    [undefined, "judge: options must be an object, got undefined"],
    [{}, "judge: target is missing: give one of module, command, url, service"],
    [
      { target, sed: 1 },
      /^judge: there is no option sed \(did you mean "seed"\?\); there are target, .*only, seed, /,
    ],
    [{ target, onResult: 1 }, /^judge: there is no option onResult; there are /],
    [{ target: "./service.ts" }, 'judge: target must be an object, got "./service.ts"'],
    [{ target: {} }, "judge: target: give one of module, command, url, service"],
    [
      { target: { modul: "./service.ts" } },
      'judge: target: give one of module, command, url, service, not modul (did you mean "module"?)',
    ],
    [
      { target: { module: "a.ts", url: "http://127.0.0.1" } },
      "judge: target: give one of module, url, not several",
    ],
    [{ target: { module: "a.ts", facts: {} } }, "judge: target: there is no option facts; there are module"],
    [
      { target: { url: "http://127.0.0.1", controlUr: "x" } },
      /^judge: target: there is no option controlUr \(did you mean "controlUrl"\?\)/,
    ],
    [
      { target: { url: "http://127.0.0.1", facts: 1 } },
      "judge: target: facts must be a path or an object, got 1",
    ],
    [
      { target: { module: new URL("http://a.example/service.ts") } },
      'judge: target: module must be a path or a file: URL, got "http://a.example/service.ts"',
    ],
    [{ target: { module: " " } }, 'judge: target: module must be a path or a file: URL, got " "'],
    [
      { target: { service: { handle() {} } } },
      "judge: target: service must be an object with a createService function, got {}",
    ],
    [{ target, seed: 1.5 }, "judge: seed must be a non-negative integer or `random`, got 1.5"],
    [{ target, seed: "7" }, 'judge: seed must be a non-negative integer or `random`, got "7"'],
    [{ target, runs: -1 }, "judge: runs must be a non-negative integer, got -1"],
    [{ target, exhaustive: 12 }, "judge: exhaustive must be an integer from 0 to 9, got 12"],
    [{ target: { module: "a.ts" }, jobs: 0 }, "judge: jobs must be a positive integer, got 0"],
    [{ target, jobs: 2 }, "judge: jobs: a service shares this process; name its file as module for more"],
    [{ target, timeout: "soon" }, 'judge: timeout must be a duration such as 500ms, 90s or 1h, got "soon"'],
    [{ target, maxWait: -5 }, "judge: maxWait must be a duration such as 500ms, 90s or 1h, got -5"],
    [{ target, only: "platform" }, 'judge: only must be a list of non-empty strings, got "platform"'],
    [
      { target, only: ["platform", 1] },
      'judge: only must be a list of non-empty strings, got ["platform",1]',
    ],
    [{ target, bail: 1 }, "judge: bail must be true or false, got 1"],
    [{ target, salt: "a b" }, /^judge: salt must be 1 to 64 letters, .*, got "a b"$/],
    [{ target, shard: "3/2" }, /^judge: shard must be I\/N .*, got "3\/2"$/],
    [{ target, baseline: {} }, "judge: baseline must be a non-empty string, got {}"],
    [{ target, signal: {} }, "judge: signal must be an AbortSignal, got {}"],
  ] as const) {
    assert.throws(() => judge(options as unknown as JudgeOptions), { name: "UsageError", message });
  }
});

test("what is left out, or undefined, is as on the command line", () => {
  const { options } = judgeAsked({ target: { module: "./a.ts" }, seed: undefined, timeout: "2s" } as never);
  assert.deepEqual(options, {
    module: "./a.ts",
    only: [],
    seed: 1,
    bail: false,
    runs: 60,
    runsGiven: false,
    allowUntried: [],
    jobs: 1,
    timeoutMs: 2_000,
    maxWaitMs: 90_000,
  });
});

test("a module is named by its path, or by a URL", () => {
  const paths = [new URL("file:///a/b.ts"), "file:///a/b.ts", "/a/b.ts"].map(
    (module) => judgeAsked({ target: { module } }).options.module,
  );
  assert.deepEqual(paths, ["/a/b.ts", "/a/b.ts", "/a/b.ts"]);
});

test("facts are stated or in a file, and hosts that are named besides count more", () => {
  const metadataHosts = ["a.example", "b.example"] as const;
  const url = "http://127.0.0.1:1";
  const asked = (more: object) => {
    const { options } = judgeAsked({ target: { url, ...more } });
    const { facts, metadataHosts: hosts } = options;
    return { facts, hosts };
  };
  assert.deepEqual(asked({ facts: "facts.yaml" }), { facts: "facts.yaml", hosts: undefined });
  const facts = { metadataHosts, capacity: { drafts: 5 } };
  assert.deepEqual(asked({ facts }), { facts, hosts: metadataHosts });
  assert.deepEqual(asked({ facts, metadataHosts: ["c", "d"] }).hosts, ["c", "d"]);
});
