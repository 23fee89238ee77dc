import assert from "node:assert/strict";
import { test } from "node:test";
import { statedOptions } from "./target-options.ts";

test("paths count from the folder of the file", () => {
  const target = {
    module: "./service.ts",
    baseline: "known.yaml",
    choices: "/etc/choices.yaml",
    saveFailures: "found",
    reporters: ["console", "html=out/report.html", "json=-", "./mine.ts=mine.txt", "a-package", "../b.ts"],
    subject: "service.tgz",
    restartOn: ["src/**/*.ts"],
  } as const;
  assert.deepEqual(statedOptions(target, "/work/a/launch-draft.config.ts", "/work"), {
    module: "a/service.ts",
    baseline: "a/known.yaml",
    choices: "/etc/choices.yaml",
    saveFailures: "a/found",
    reporter: [
      "console",
      "html=a/out/report.html",
      "json=-",
      "./a/mine.ts=a/mine.txt",
      "a-package",
      "./b.ts",
    ],
    subject: "a/service.tgz",
    restartOn: ["a/src/**/*.ts"],
  });
  const { reporters, restartOn, ...rest } = target;
  const here = { ...rest, reporter: reporters, restartOn };
  assert.deepEqual(statedOptions(target, "/work/launch-draft.config.ts", "/work"), here);
});

test("a command runs in the folder of the file", () => {
  const target = { command: "python3 adapter.py" };
  assert.deepEqual(statedOptions(target, "/work/a/b.json", "/work/c"), { ...target, commandFolder: "../a" });
  assert.deepEqual(statedOptions(target, "/work/b.json", "/work"), target);
});

test("values are those of the options", () => {
  const facts = { metadataHosts: ["a.example", "b.example"] } as const;
  const url = "http://127.0.0.1:8080";
  const subject = `image@sha256:${"0".repeat(64)}`;
  const target = { url, facts, subject, runs: 0, timeout: "2s", maxWait: 500, seed: "random" } as const;
  assert.deepEqual(statedOptions(target, "/work/a/b.json", "/work"), {
    url,
    statedFacts: facts,
    subject,
    runs: 0,
    runsGiven: true,
    timeoutMs: 2_000,
    maxWaitMs: 500,
    seed: "random",
  });
  assert.equal(statedOptions({ url, facts: "facts.yaml" }, "/work/a/b.json", "/work").facts, "a/facts.yaml");
});
