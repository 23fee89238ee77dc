import fc from "fast-check";
import { BEARER_FORMS } from "../script/bearer-forms.ts";
import { MESSAGE_LAYOUTS } from "../script/message-layouts.ts";
import { JSON_SPELLINGS } from "../script/spellings.ts";
import { TIMESTAMP_FORMS } from "../script/timestamp-forms.ts";

type Entry = Readonly<Record<string, unknown>>;

/** What a launch may come to in a search: what the service did to it decides, and the judge knows that. */
const ANY_END = "draft | refused | distrusted";

const PEOPLE = ["alice", "bob"];

/** Which request: mostly the first, so that what is drawn comes to pass. */
const nth = fc.constantFrom<string | number | undefined>(1, 1, 1, 2, "1..2", "1..3", "2..", undefined);

/** An entry of a script, without the members that were drawn as none. */
function entry(members: Readonly<Record<string, fc.Arbitrary<unknown>>>): fc.Arbitrary<Entry> {
  return fc
    .record(members)
    .map((drawn) => Object.fromEntries(Object.entries(drawn).filter(([, value]) => value !== undefined)));
}

const only = <Value>(value: Value) => fc.constant(value);
const formOf = (forms: object) => fc.constantFrom(...Object.keys(forms));
const duration = fc.constantFrom("1ms", "29s", "31s", "61s", "3601s");

/** Requests of operations that change something, or all of them. */
const asked = fc.constantFrom("challenge", "verify", "build", "build");
const anything = fc.constantFrom("platform", "challenge", "verify", "build");

/** Refusals that a service gives to requests with which nothing is wrong. */
const refusals = fc.oneof(
  entry({ on: asked, nth, refuse: only("429 OFFLINE_CAPACITY") }),
  entry({ on: only("build"), nth, refuse: only("429 OFFLINE_RATE_LIMIT") }),
  entry({ on: only("build"), nth, refuse: only("401 UNAUTHORIZED") }),
  entry({ on: only("verify"), nth, refuse: only("401 EXPIRED_OR_USED_CHALLENGE") }),
  entry({
    on: only("build"),
    nth,
    refuse: fc.constantFrom("409 REBUILD_WITH_NEW_KEY", "409 IDEMPOTENCY_CONFLICT"),
  }),
  // What a service rejects it rejects each time.
  entry({
    on: only("build"),
    for: fc.constantFrom(undefined, ...PEOPLE),
    refuse: only("400 CANONICAL_BUILD_REJECTED"),
  }),
);

/** What is lost, broken, late or forgotten. */
const mishaps = fc.oneof(
  entry({
    on: anything,
    nth,
    lose: fc.constantFrom("answer", "request"),
    pass: fc.option(duration, { nil: undefined, freq: 3 }),
  }),
  entry({ on: anything, nth, status: fc.constantFrom(500, 502, 503), effect: fc.boolean() }),
  entry({ on: asked, nth, pass: duration }),
  entry({ on: asked, nth: fc.constantFrom(1, 2), restart: only(true) }),
);

/** Answers of another form. */
const forms = fc.oneof(
  entry({ on: only("challenge"), nth, message: formOf(MESSAGE_LAYOUTS) }),
  entry({ on: fc.constantFrom("challenge", "verify"), nth, timestamps: formOf(TIMESTAMP_FORMS) }),
  entry({ on: only("verify"), nth, bearer: formOf(BEARER_FORMS) }),
  entry({ on: fc.constantFrom("every", "platform", "build"), nth, spelling: formOf(JSON_SPELLINGS) }),
  entry({
    on: fc.constantFrom("every", "challenge", "verify", "build"),
    nth,
    add: fc.constantFrom<Entry>({ note: "hello" }, { data: { items: [1, null] } }, { constructor: 1 }),
    headers: fc.constantFrom<Entry | undefined>(undefined, { "retry-after": "1" }, { "x-request-id": "7" }),
  }),
);

/** A step as it is drawn: a launch that is given again says how many first launches before it. */
type Drawn =
  | { readonly kind: "launch"; readonly by: string; readonly token: Entry | undefined }
  | { readonly kind: "again"; readonly back: number }
  | { readonly kind: "together"; readonly launches: readonly Extract<Drawn, { readonly kind: "launch" }>[] }
  | { readonly kind: "advance"; readonly wait: string }
  | { readonly kind: "restart" };

const launch = fc.record({
  kind: only("launch" as const),
  by: fc.constantFrom(...PEOPLE),
  token: fc.constantFrom<Entry | undefined>(
    undefined,
    undefined,
    { name: "Other Coin" },
    { mint: "$carol" },
    { mint: "$carol", symbol: "OTHER" },
    { symbol: "🪙" },
    { name: "x".repeat(33) },
  ),
});

const step: fc.Arbitrary<Drawn> = fc.oneof(
  { weight: 4, arbitrary: launch },
  { weight: 3, arbitrary: fc.record({ kind: only("again" as const), back: fc.nat(2) }) },
  {
    weight: 1,
    arbitrary: fc.record({
      kind: only("together" as const),
      launches: fc.array(launch, { minLength: 2, maxLength: 3 }),
    }),
  },
  { weight: 2, arbitrary: fc.record({ kind: only("advance" as const), wait: duration }) },
  { weight: 1, arbitrary: fc.record({ kind: only("restart" as const) }) },
);

const SERVICE = fc.array(
  fc.oneof(
    { weight: 3, arbitrary: refusals },
    { weight: 3, arbitrary: mishaps },
    { weight: 2, arbitrary: forms },
  ),
  { maxLength: 4 },
);
const STEPS = fc.array(step, { maxLength: 4 });

/** Draws what a vector for clients says: a service that keeps the contract in every way, and up to a handful of launches. */
export const SCRIPTS: fc.Arbitrary<Entry> = fc
  .record({ first: launch, rest: STEPS, service: SERVICE })
  .map(({ first, rest, service }) => ({
    ...(service.length === 0 ? {} : { service }),
    steps: stepsOf([first, ...rest]),
  }));

/** The steps as a suite has them: a launch that is given again has a name, and no other. */
function stepsOf(drawn: readonly Drawn[]): readonly Entry[] {
  const firsts = drawn.flatMap((one, place) => (one.kind === "launch" ? [place] : []));
  const meant = drawn.map((one, place) => {
    const before = firsts.filter((first) => first < place);
    return one.kind === "again" ? before[before.length - 1 - (one.back % before.length)] : undefined;
  });
  const named = new Set(meant);
  return drawn.map((one, place) => stepOf(one, place, { named, meant: meant[place] }));
}

function stepOf(
  drawn: Drawn,
  place: number,
  { named, meant = 0 }: { readonly named: ReadonlySet<unknown>; readonly meant: number | undefined },
): Entry {
  switch (drawn.kind) {
    case "launch":
      return { ...launchStep(drawn), ...(named.has(place) ? { as: nameOf(place) } : {}), expect: ANY_END };
    case "again":
      return { launch: { again: `$${nameOf(meant)}` }, expect: ANY_END };
    case "together":
      return { together: drawn.launches.map((each) => ({ ...launchStep(each), expect: ANY_END })) };
    case "advance":
      return { advance: drawn.wait };
    case "restart":
      return { restart: true };
  }
}

function launchStep({ by, token }: Extract<Drawn, { readonly kind: "launch" }>): Entry {
  return { launch: { by, ...(token === undefined ? {} : { token }) } };
}

function nameOf(place: number): string {
  return `launch${place + 1}`;
}
