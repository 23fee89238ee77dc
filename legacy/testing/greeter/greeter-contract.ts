import { fileURLToPath } from "node:url";
import type {
  ClientContract,
  ClientJudgement,
  ClientStage,
  StageStep,
} from "../../engine/client/client-contract.ts";
import { type loadClientSuiteFiles, loadClientSuites } from "../../engine/client/load-client-suites.ts";
import type { ClientRequest, Trace, Violation } from "../../engine/client/trace.ts";
import { loadRuleBook } from "../../engine/rule-book.ts";

const data = (name: string) => fileURLToPath(new URL(`data/${name}`, import.meta.url));

type Step =
  | { readonly greet: string }
  | { readonly together: readonly string[] }
  | { readonly advance: number }
  | { readonly restart: true };

interface Scenario {
  /** How often it is told to wait, and how many answers are lost before. */
  readonly waits?: number;
  readonly loses?: number;
  readonly steps: readonly (Step & { readonly line: number })[];
}

/** What a greeting is worth. */
const MOST_REQUESTS = 20;
/** Less than this is no wait, in ms. */
const LEAST_WAIT_MS = 50;

/** A contract of clients that ask to be greeted: a second one, to show that there can be one. */
export const GREETER: ClientContract = {
  ...loadRuleBook(data(".")),
  id: "greeter-1",
  mostRequests: MOST_REQUESTS,
  compile(entry, source, path) {
    const steps = entry["steps"] as readonly Step[];
    const placed = steps.map((step, index) => ({
      ...step,
      line: source.position([...path, "steps", index]).line,
    }));
    return { ...entry, steps: placed };
  },
  async stage(scenario, { startMs }) {
    return new GreeterStage(scenario as unknown as Scenario, startMs);
  },
};

/** JSON Schema of the suites of this contract. */
export const GREETER_SUITE_SCHEMA = data("suite.schema.json");

/** The vectors of the greeter. */
export const GREETER_SUITES: ReturnType<typeof loadClientSuiteFiles> = loadClientSuites(
  data("suites"),
  GREETER_SUITE_SCHEMA,
  GREETER,
);

class GreeterStage implements ClientStage {
  readonly steps: readonly StageStep[];
  #serviceMs: number;
  #waits: number;
  #loses: number;

  constructor({ waits = 0, loses = 0, steps }: Scenario, startMs: number) {
    this.#serviceMs = startMs;
    this.#waits = waits;
    this.#loses = loses;
    this.steps = steps.map(({ line, ...step }, index): StageStep => {
      if ("advance" in step) return { kind: "advance", ms: step.advance };
      if ("restart" in step) return { kind: "restart" };
      const names = "greet" in step ? [step.greet] : step.together;
      const taskOf = (name: string) => ({ id: `${name}-${index}`, line, task: { task: "greet", name } });
      return { kind: "tasks", tasks: names.map(taskOf) };
    });
  }

  async answer({ target }: ClientRequest) {
    const staged = { operation: "greet", serviceMs: this.#serviceMs };
    if (this.#loses-- > 0) return { ...staged, answer: { kind: "lost" } as const, tookEffect: true };
    const name = /^\/greet\/(\w+)$/.exec(target)?.[1];
    if (name === undefined) return { ...staged, ...answer(404, {}) };
    if (this.#waits-- > 0) return { ...staged, ...answer(429, {}) };
    return { ...staged, ...answer(200, { greeting: `Hello, ${name}!` }) };
  }

  async advance(ms: number) {
    this.#serviceMs += ms;
  }

  async restart() {}

  judge(trace: Trace): ClientJudgement {
    const told = trace.turns.filter(({ answer }) => answer.kind === "answer" && answer.status === 429);
    const again = told.some(({ index }) => trace.turns[index + 1] !== undefined);
    const reading = again ? "asks-again" : "gives-up";
    return {
      violations: [...endsIn(trace), ...haste(trace), ...strays(trace)],
      observations: told.length === 0 ? [] : [{ point: "AFTER-WAIT", reading }],
      advice: [],
    };
  }

  async close() {}
}

function answer(status: number, body: object) {
  const text = JSON.stringify(body);
  return { answer: { kind: "answer", status, headers: [], text, body } as const, tookEffect: status === 200 };
}

function endsIn({ tasks, turns }: Trace): readonly Violation[] {
  return tasks.flatMap(({ id, task, end }): readonly Violation[] => {
    if (end.kind !== "result")
      return [{ rule: "GREET-2", message: "no result", expected: "a result", got: end.kind, task: id }];
    const greeting = (end.result as { readonly greeting?: unknown } | null)?.greeting;
    const disturbed = turns.some(({ answer }) => answer.kind === "lost" || answer.status !== 200);
    const expected = `Hello, ${String(task["name"])}!`;
    if (greeting === expected || (disturbed && greeting === undefined)) return [];
    return [{ rule: "GREET-1", message: "another greeting", expected, got: String(greeting), task: id }];
  });
}

function haste({ turns, waitScale }: Trace): readonly Violation[] {
  return turns.flatMap(({ index, answer, answeredAtMs }) => {
    const next = turns[index + 1];
    if (answer.kind === "lost" || answer.status !== 429 || next === undefined) return [];
    const waitedMs = (next.atMs - answeredAtMs) / waitScale;
    if (waitedMs >= LEAST_WAIT_MS) return [];
    return [{ rule: "GREET-3", message: "no wait", expected: "a wait", got: "none", turn: next.index }];
  });
}

function strays({ turns }: Trace): readonly Violation[] {
  return turns
    .filter(({ request }) => !request.target.startsWith("/greet/"))
    .map(({ index, request }) => ({
      rule: "GREET-4",
      message: "another request",
      expected: "GET /greet/NAME",
      got: request.target,
      turn: index,
    }));
}
