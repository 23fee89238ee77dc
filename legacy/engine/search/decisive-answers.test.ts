import assert from "node:assert/strict";
import { test } from "node:test";
import type { Outcome } from "../outcome.ts";
import type { Recorded } from "./checked-scene.ts";
import { decisiveAnswers, type Retelling } from "./decisive-answers.ts";
import { type Expected, FINE, LOST, type Model } from "./model.ts";

const SERVED: Outcome = { status: 200, codes: [] };
const LEFT: readonly Outcome[] = [SERVED, { status: 409, codes: ["TAKEN", "OVER"] }];

function expected(outcomes: readonly Outcome[]): Expected {
  return { outcomes, usual: outcomes, points: [], rulesFor: () => [] };
}

/** A service that may take, or refuse, what is offered; `end` is served unless so much was refused, or is not known. */
class Offers implements Model {
  #refused = 0;
  readonly #patience: number;

  constructor(patience: number) {
    this.#patience = patience;
  }

  restart(): void {
    this.#refused = 0;
  }

  predict({ path }: { readonly path: string }): ReturnType<Model["predict"]> {
    if (path === "other") return { expected: expected(LEFT), learn: () => FINE };
    if (path === "riddle")
      return { expected: expected(LEFT), learn: ({ status }) => (status === 200 ? FINE : LOST) };
    if (path === "end")
      return { expected: expected(this.#refused >= this.#patience ? LEFT : [SERVED]), learn: () => FINE };
    const learn = ({ body }: Pick<Recorded["exchange"], "body">) => {
      if (body["code"] === "OVER") this.#refused += 1;
      return FINE;
    };
    return { expected: expected(LEFT), learn };
  }
}

function retelling(patience: number): Retelling {
  return {
    newModel: () => new Offers(patience),
    codeOf: ({ code }) => code,
    bodyOf: (code) => ({ code }),
  };
}

/** A sequence of requests to these paths, in one life of the service each, all served. */
function recorded(...requests: readonly (readonly [path: string, life?: number])[]): readonly Recorded[] {
  return requests.map(([path, life = 1], index): Recorded => {
    const request = { method: "GET", path };
    return {
      at: { step: `${index + 1}`, place: { file: "sequence", line: index + 1 } },
      expected: expected(path === "end" ? [SERVED] : LEFT),
      exchange: {
        operation: path,
        request,
        envelope: {},
        status: 200,
        body: {},
        sentAt: 0,
        answeredAt: 0,
        plannedMs: 0,
      },
      life: { number: life, startedMs: 0 },
    };
  });
}

function decisiveSteps(sequence: readonly Recorded[], patience = 1): readonly string[] {
  return [...decisiveAnswers(sequence, retelling(patience))].map(({ at }) => at.step);
}

test("an answer decides where another, be it another code of its status, would allow more later", () => {
  assert.deepEqual(decisiveSteps(recorded(["offer"], ["other"], ["end"])), ["1"]);
});

test("an answer after which nothing is allowed otherwise decides nothing", () => {
  assert.deepEqual(decisiveSteps(recorded(["other"], ["offer"])), []);
  assert.deepEqual(decisiveSteps(recorded(["offer", 1], ["end", 2])), []);
});

test("two answers that matter only together decide both", () => {
  assert.deepEqual(decisiveSteps(recorded(["offer"], ["other"], ["offer"], ["end"]), 2), ["1", "3"]);
});

test("an answer after which nobody could tell what is allowed decides", () => {
  assert.deepEqual(decisiveSteps(recorded(["riddle"], ["end"])), ["1"]);
});

test("of more answers than can be weighed all decide", () => {
  const many = recorded(...Array.from({ length: 20 }, () => ["other"] as const), ["end"]);
  assert.equal(decisiveSteps(many).length, 20);
});
