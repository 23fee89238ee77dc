import assert from "node:assert/strict";
import { test } from "node:test";
import type { Exchange } from "../../engine/play/exchange.ts";
import { contract } from "../../testing/contract-data.ts";
import { type Body, CONTEXT, changed, exchangeOf, GOOD, judged } from "../../testing/exchanges.ts";
import { judgeExchange } from "./judge.ts";

/** What no honest service answers, and what must neither stop the judge nor please it. */
const HOSTILE: Readonly<Record<string, unknown>> = {
  null: null,
  true: true,
  "a number out of range": Number.POSITIVE_INFINITY,
  "a fraction": 0.5,
  "a negative number": -1,
  "an empty text": "",
  "a great many digits": "9".repeat(100_000),
  "a great many colons": "12:".repeat(33_333),
  "half a surrogate pair": "\ud800",
  "an empty list": [],
  "an empty object": {},
  "an object that is no text and no number": { toString: 1, valueOf: 1, toJSON: 1 },
  "a list of such objects": [
    { toString: 1, valueOf: 1 },
    { join: 1, toString: 1 },
  ],
  "an object with members of every object": JSON.parse('{"__proto__":1,"constructor":2,"hasOwnProperty":3}'),
};

/** Every place of a JSON value, each as a path from the root. */
function places(value: unknown, path: readonly string[] = []): readonly (readonly string[])[] {
  if (typeof value !== "object" || value === null) return [path];
  return [path, ...Object.entries(value).flatMap(([key, member]) => places(member, [...path, key]))];
}

/** A copy of the value with another one at the place. */
function replaced(value: unknown, [key, ...rest]: readonly string[], by: unknown): unknown {
  if (key === undefined) return by;
  const copy: Record<string, unknown> = Array.isArray(value)
    ? ([...value] as never)
    : { ...(value as object) };
  copy[key] = replaced(copy[key], rest, by);
  return copy;
}

type Operation = keyof typeof GOOD;

/**
 * The rules that speak of a place (entries of a list alike, as `*`). Where a place holds others, the rule of what it
 * then lacks will do as well.
 */
const RULES: Readonly<Record<Operation, Readonly<Record<string, readonly string[]>>>> = {
  platform: {
    ...envelopeRules("ERROR-2"),
    mode: ["PLATFORM-1"],
    platform: ["PLATFORM-2"],
    feeWallet: ["PLATFORM-3"],
    withdrawAuthority: ["PLATFORM-4"],
    termsStatus: ["PLATFORM-5"],
    creatorBpsImplemented: ["PLATFORM-6"],
    publicServer: ["PLATFORM-7"],
    termsHash: ["PLATFORM-8"],
  },
  challenge: {
    ...envelopeRules("ENDPOINT-5"),
    id: ["CHALLENGE-1"],
    message: ["CHALLENGE-4", "CHALLENGE-5"],
    expiresAt: ["CHALLENGE-9"],
  },
  verify: {
    ...envelopeRules("ENDPOINT-6"),
    bearer: ["SESSION-1"],
    expiresAt: ["SESSION-2"],
    scope: ["SESSION-3"],
  },
  build: {
    ...envelopeRules("ENDPOINT-7"),
    mode: ["DRAFT-1"],
    fixtureOnly: ["DRAFT-2"],
    sendable: ["DRAFT-3"],
    placeholderBlockhash: ["DRAFT-4"],
    expiresAt: ["DRAFT-5"],
    platform: ["DRAFT-6"],
    feeWallet: ["DRAFT-7"],
    withdrawAuthority: ["DRAFT-8"],
    requiredSigners: ["DRAFT-9"],
    "requiredSigners.*": ["DRAFT-9"],
    messageHash: ["DRAFT-10"],
    unsignedTransactionBase64: ["DRAFT-11", "DRAFT-12"],
    cost: ["DRAFT-14", "COST-1"],
    "cost.basis": ["COST-1"],
    "cost.accounts": ["COST-2"],
    "cost.accounts.*": ["COST-2"],
    "cost.accounts.*.kind": ["COST-2"],
    "cost.accounts.*.bytes": ["COST-3"],
    "cost.accounts.*.historicalRentLamports": ["COST-4"],
    "cost.networkFeeLamports": ["COST-5"],
    "cost.minimumLamports": ["COST-6"],
    "cost.reserveLamports": ["COST-7"],
    "cost.recommendedLamports": ["COST-8"],
    metadataPublicationVerified: ["DRAFT-15"],
    currentBalanceVerified: ["DRAFT-16"],
    nextGate: ["DRAFT-17"],
  },
};

function envelopeRules(statuses: string): Readonly<Record<string, readonly string[]>> {
  return {
    "(envelope)": ["SERVICE-1"],
    "(status)": ["SERVICE-1", statuses],
    "(body)": ["SERVICE-1", "SERVICE-2"],
    productionApproved: ["SERVICE-2"],
  };
}

const ANY_TEXT = ["a great many digits", "a great many colons", "half a surrogate pair"];

/** What a service may well answer, hostile or not. */
const LEGAL: readonly {
  readonly operation: Operation;
  readonly places: RegExp;
  readonly values: readonly string[];
  readonly why: string;
}[] = [
  {
    operation: "platform",
    places: /^signing(\..*)?$/,
    values: Object.keys(HOSTILE),
    why: "how signing is described, and under which name, is not shown",
  },
  { operation: "verify", places: /^bearer$/, values: ANY_TEXT, why: "the format of a bearer is not shown" },
  { operation: "build", places: /^nextGate$/, values: ANY_TEXT, why: "no text of it is given" },
  {
    operation: "build",
    places: /^(fixtureOnly|placeholderBlockhash)$/,
    values: ["true"],
    why: "it is the constant",
  },
  ...(["challenge", "verify"] as const).map((operation) => ({
    operation,
    places: /^expiresAt$/,
    values: [
      "an object that is no text and no number",
      "a list of such objects",
      "an object with members of every object",
    ],
    why: "a moment may be written in any form, and these may be one",
  })),
  {
    operation: "build",
    places: /^expiresAt$/,
    values: ["a negative number"],
    why: "any integer will do: it belongs to a synthetic clock",
  },
];

/** Rules that hold an answer against the profile: a hostile one may break them. */
const AGAINST_THE_PROFILE: Readonly<Record<Operation, readonly string[]>> = {
  platform: ["PLATFORM-10"],
  challenge: ["CHALLENGE-7"],
  verify: [],
  build: ["DRAFT-6", "DRAFT-7", "DRAFT-8"],
};

/** Rules about one place that lean on what another says. */
const LEANING: Readonly<Record<string, readonly string[]>> = {
  "(body)": ["PLATFORM-9"],
  message: ["CHALLENGE-6", "CHALLENGE-7", "CHALLENGE-8"],
  "cost.minimumLamports": ["COST-8"],
  "cost.reserveLamports": ["COST-8"],
};

/** What a hostile value may break besides its place's rule: those of what lies within the place, or leans on it. */
function alsoBroken(operation: Operation, name: string): readonly string[] {
  const within = Object.entries(RULES[operation]).filter(
    ([place]) => name.startsWith("(") || place.startsWith(`${name}.`),
  );
  const leaning = Object.entries(LEANING).filter(([place]) => name.startsWith("(") || place === name);
  return [...within, ...leaning].flatMap(([, rules]) => rules).concat(AGAINST_THE_PROFILE[operation]);
}

/** The name of a place in the tables. */
function nameOf(place: readonly string[]): string {
  if (place.length < 2) return `(${place[0] ?? "envelope"})`;
  return place.slice(1).join(".").replaceAll(/\.\d+/g, ".*");
}

const isLegal = (operation: string, place: string, what: string) =>
  LEGAL.some((row) => row.operation === operation && row.places.test(place) && row.values.includes(what));

test("the tables have every place of the answers, and no other", () => {
  for (const operation of Object.keys(GOOD) as Operation[]) {
    const there = new Set(places(GOOD[operation].envelope).map(nameOf));
    const open = [...there].filter((place) =>
      Object.keys(HOSTILE).every((what) => isLegal(operation, place, what)),
    );
    assert.deepEqual([...Object.keys(RULES[operation]), ...open].sort(), [...there].sort());
    for (const row of LEGAL.filter((one) => one.operation === operation))
      assert.ok(
        [...there].some((place) => row.places.test(place)),
        row.why,
      );
  }
});

for (const operation of Object.keys(GOOD) as Operation[]) {
  const good = GOOD[operation];
  for (const [what, value] of Object.entries(HOSTILE)) {
    test(`${what} anywhere in an answer to ${operation} breaks the rule of its place, where it is not legal`, () => {
      for (const place of places(good.envelope)) {
        const exchange = exchangeOf(good.request, replaced(good.envelope, place, value));
        const { mismatches, observations } = judged(exchange);
        const broken = mismatches.map(({ rule }) => rule);
        const name = nameOf(place);
        if (isLegal(operation, name, what)) assert.deepEqual(broken, [], name);
        else
          assert.ok(
            broken.some((rule) => RULES[operation][name]?.includes(rule)),
            `${name}: ${broken.join() || "nothing"} is broken`,
          );
        const own = [...(RULES[operation][name] ?? []), ...alsoBroken(operation, name)];
        assert.deepEqual(
          broken.filter((rule) => !own.includes(rule)),
          [],
          name,
        );
        for (const { rule, expected, got } of mismatches) {
          assert.ok(contract.rules.has(rule), `${place.join(".")} breaks the unknown rule ${rule}`);
          assert.ok(expected.length + got.length < 1_500, `${place.join(".")} is told at length`);
        }
        for (const { point, reading } of observations) {
          const known = contract.points.get(point)?.readings.map(({ id }) => id) ?? [];
          assert.ok(known.includes(reading), `${point} has no reading ${reading}`);
        }
      }
    });
  }
}

test("a hostile profile does not stop the judging of what follows", () => {
  for (const value of Object.values(HOSTILE)) {
    const fields = Object.fromEntries(Object.keys(GOOD.platform.body).map((field) => [field, value]));
    for (const operation of Object.keys(GOOD) as Operation[]) {
      const judge = (exchange: Exchange) =>
        judgeExchange(exchange, { ...CONTEXT, profile: fields })
          .mismatches.map(({ rule }) => rule)
          .filter((rule) => !AGAINST_THE_PROFILE[operation].includes(rule));
      assert.deepEqual(judge(GOOD[operation]), []);
      const approved = changed(operation, (body: Body) => Object.assign(body, { productionApproved: true }));
      assert.deepEqual(judge(approved), ["SERVICE-2"]);
    }
  }
});

test("an answer nested deeper than anybody reads is judged", () => {
  let deep: unknown = [];
  for (let depth = 0; depth < 100_000; depth++) deep = [deep];
  for (const good of Object.values(GOOD)) {
    for (const place of places(good.envelope)) {
      const { mismatches } = judged(exchangeOf(good.request, replaced(good.envelope, place, deep)));
      assert.deepEqual(
        mismatches.map(({ rule }) => rule),
        ["SERVICE-1"],
      );
    }
  }
});
