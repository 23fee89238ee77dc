import { RandomSource } from "../../engine/search/random-source.ts";
import type { Walk } from "../../engine/search/walk.ts";
import {
  BUILD_FAULTS,
  type Command,
  CROWDS,
  type Edge,
  FAULT,
  INPUTS,
  keyOfPart,
  PAIRS,
  PROOFS,
  type Since,
  SPANS,
  SPELLINGS_USED,
  type Who,
} from "./command.ts";
import { newBuilds } from "./command-arbitrary.ts";
import { WalkState } from "./walk-state.ts";

/** Parts of a walk: each has keys of its own, and dwells on one subject. */
const PARTS = 12;
/** Draws of which the one is done that leads where the fewest have led. */
const DRAWS = 4;
const CLOCKS = ["between-seconds", "between-seconds", "whole-minute", "whole-second"] as const;
const PEOPLE: readonly Who[] = ["alice", "bob"];

type Group = readonly Command[];
type Build = Extract<Command, { do: "build" }>;

/**
 * Walks of the search at random: what is done next is, of a few things drawn, the one that meets a state in which the
 * fewest have been done. Most begin with some of an ordinary day, since a service that has been used holds more that
 * can go wrong.
 */
export function* walks(seed: number): Generator<Walk<Command>, never> {
  const planner = new Planner(new RandomSource(seed));
  for (;;) yield planner.walk();
}

/** Plans one walk after the other. */
class Planner {
  readonly #random: RandomSource;
  /** How often each state was met. */
  readonly #met = new Map<string, number>();
  #state = new WalkState();
  #commands: Command[] = [];
  #part = 0;
  #lead: Who = "alice";
  #usedLife = -1;

  constructor(random: RandomSource) {
    this.#random = random;
  }

  walk(): Walk<Command> {
    const before = this.#met.size;
    this.#state = new WalkState();
    this.#commands = [];
    this.#usedLife = -1;
    const clock = this.#random.pick(CLOCKS);
    for (this.#part = 0; this.#part < PARTS; this.#part++) this.#playPart();
    return { clock, commands: this.#commands, newStates: this.#met.size - before };
  }

  #playPart(): void {
    const random = this.#random;
    if (this.#usedLife !== this.#state.life && random.percent(85)) this.#do(this.#ordinaryDay());
    this.#lead = random.percent(75) ? "alice" : "bob";
    for (const who of PEOPLE) {
      const session = this.#state.current(who);
      const over = session === undefined || !this.#state.isLive(session);
      if (over && random.percent(85)) this.#do([{ do: "session", who }]);
    }
    const kinds = this.#random.pick(this.#subjects);
    for (let left = 5 + random.below(8); left > 0; left--) {
      let best: Group = [];
      let fewest = Number.POSITIVE_INFINITY;
      for (let draw = 0; draw < DRAWS; draw++) {
        const group = random.pick(kinds)();
        const [first] = group;
        if (first === undefined) continue;
        const met = this.#met.get(this.#metBy(group, first)) ?? 0;
        if (met >= fewest) continue;
        best = group;
        fewest = met;
      }
      this.#do(best);
    }
    const rest = random.below(10);
    if (rest < 6) this.#do([{ do: "wait", span: 1, edge: "just-after", since: "now" }]);
    else if (rest < 8) this.#do([{ do: "wait", span: SPANS.indexOf("10m"), edge: "at", since: "now" }]);
  }

  #metBy(group: Group, first: Command): string {
    return `${this.#state.met(first)} ${group.length}`;
  }

  #do(group: Group): void {
    const [first] = group;
    if (first === undefined) return;
    const met = this.#metBy(group, first);
    this.#met.set(met, (this.#met.get(met) ?? 0) + 1);
    for (const command of group) {
      this.#commands.push(command);
      this.#state.note(command);
    }
  }

  /** Retries, conflicts and refusals, drafts of both, and a few sessions. */
  #ordinaryDay(): Group {
    this.#usedLife = this.#state.life;
    const key = keyOfPart(this.#part, 1);
    const build = { do: "build", who: "alice", key, input: 0, spelling: 0, session: 0 } as const;
    const day: readonly Command[] = [
      { do: "session", who: "alice" },
      { do: "session", who: "bob" },
      { do: "session", who: "alice" },
      { ...build, who: "bob", key: 0 },
      build,
      build,
      { ...build, input: 2 },
      { do: "invalid", who: "alice", key: 0, fault: 0 },
    ];
    const some = this.#random.percent(70) ? day : day.filter(() => this.#random.percent(60));
    const rested: Command = { do: "wait", span: 1, edge: "just-after", since: "now" };
    return this.#random.percent(80) ? [...some, rested] : some;
  }

  readonly #build = (): Group => {
    const random = this.#random;
    const who = this.#who();
    return [
      {
        do: "build",
        who,
        key: keyOfPart(this.#part, random.pick([0, 0, 0, 0, 1, 2])),
        input: random.percent(65) ? 0 : random.below(INPUTS.length),
        spelling: random.percent(85) ? 0 : random.below(SPELLINGS_USED.length),
        session: this.#session(who),
      },
    ];
  };

  /** What was asked for of late, once more. */
  readonly #again = (): Group => {
    const earlier = this.#earlier();
    if (earlier === undefined) return this.#build();
    const spelling = this.#random.percent(85) ? 0 : this.#random.below(SPELLINGS_USED.length);
    return [{ ...earlier, spelling, session: this.#session(earlier.who) }];
  };

  /** The same with other input. */
  readonly #change = (): Group => {
    const earlier = this.#earlier();
    if (earlier === undefined) return this.#build();
    const input = (earlier.input + 1 + this.#random.below(INPUTS.length - 1)) % INPUTS.length;
    return [{ ...earlier, input }];
  };

  /** The key of the one for the other. */
  readonly #byTheOther = (): Group => {
    const earlier = this.#earlier();
    if (earlier === undefined) return this.#build();
    return [{ ...earlier, who: earlier.who === "alice" ? "bob" : "alice", session: 0 }];
  };

  readonly #fresh = (): Group => newBuilds(this.#who(), 1);

  readonly #burst = (): Group => newBuilds(this.#who(), 2 + this.#random.below(5));

  /** New builds at an even pace, slow enough for any five a minute. */
  readonly #steady = (): Group => {
    const who = this.#who();
    const rest: Command = { do: "wait", span: SPANS.indexOf("30s"), edge: "just-before", since: "now" };
    return Array.from({ length: 4 + this.#random.below(4) }, () => [...newBuilds(who, 1), rest]).flat();
  };

  readonly #challenge = (): Group => [{ do: "challenge", who: this.#who() }];

  readonly #signIn = (): Group => [{ do: "session", who: this.#who() }];

  readonly #verify = (): Group => {
    const { length } = this.#state.challenges;
    if (length === 0) return this.#challenge();
    const back = Math.min(length - 1, this.#random.pick([0, 0, 0, 1, 1, 2]));
    const kind = this.#random.below(10);
    const proof = kind < 5 ? 0 : kind < 8 ? 1 + this.#random.below(2) : this.#random.below(PROOFS.length);
    return [{ do: "verify", back, proof }];
  };

  readonly #invalid = (): Group => {
    const whole = Object.values(FAULT);
    const fault = this.#random.percent(60)
      ? this.#random.pick(whole)
      : this.#random.below(BUILD_FAULTS.length);
    const key = this.#random.percent(50) ? 0 : keyOfPart(this.#part, 0);
    return [{ do: "invalid", who: this.#who(), key, fault }];
  };

  /** To either side of the end of something, or a part of the way. */
  #until(span: (typeof SPANS)[number], since: Since): () => Group {
    return () => {
      const edge: Edge = this.#random.pick(["just-before", "just-after", "just-after"]);
      return [{ do: "wait", span: SPANS.indexOf(span), edge, since }];
    };
  }

  readonly #aWhile = (): Group => [
    { do: "wait", span: SPANS.indexOf(this.#random.pick(["1s", "12s"] as const)), edge: "at", since: "now" },
  ];

  readonly #restart = (): Group => [{ do: "restart" }];

  /** A restart, after which the service is used at once. */
  readonly #startAnew = (): Group => {
    const who = this.#who();
    const key = keyOfPart(this.#part, 1);
    const build = { do: "build", who, key, input: 0, spelling: 0, session: 0 } as const;
    return [{ do: "restart" }, build, build];
  };

  readonly #crowd = (): Group => [{ do: "crowd", of: this.#random.pick(CROWDS) }];

  /** Whoever proved with another has a session, and uses it. */
  readonly #together = (): Group => {
    const of = this.#random.pick(PAIRS);
    if (of === "builds") return [{ do: "together", of }];
    const asked = PEOPLE.map((who): Command => ({ do: "challenge", who }));
    const used = PEOPLE.map((who): Command => {
      const session = this.#state.named.filter((own) => own.who === who).length + 1;
      return { do: "build", who, key: 0, input: 0, spelling: 0, session };
    });
    const rested: Command = { do: "wait", span: SPANS.indexOf("60s"), edge: "just-after", since: "now" };
    return [rested, ...asked, { do: "together", of }, ...used];
  };

  /** A build with the bearer from before the restart. */
  readonly #former = (): Group => {
    const former = this.#state.named.findLast(({ life }) => life < this.#state.life);
    if (former === undefined) return this.#restart();
    return [{ do: "build", who: former.who, key: 0, input: 0, spelling: 0, session: "former" }];
  };

  /** Kinds of things that have to do with each other; what stands twice is drawn twice as often. */
  readonly #subjects: readonly (readonly (() => Group)[])[] = (() => {
    const half = this.#until("30s", "build");
    const drafts = [this.#build, this.#build, this.#again, this.#again, this.#again, this.#change];
    const lives = [...drafts, half, half, this.#aWhile];
    const keys = [...drafts, this.#invalid, this.#byTheOther, this.#aWhile, this.#again, this.#change];
    const other = [this.#byTheOther, this.#byTheOther, this.#change];
    const restarts = [...drafts, ...other, this.#restart, this.#startAnew, this.#startAnew, this.#aWhile];
    const signIns = [
      this.#challenge,
      this.#challenge,
      this.#verify,
      this.#verify,
      this.#verify,
      this.#signIn,
      this.#fresh,
    ];
    const minute = this.#until("60s", "challenge");
    const hour = this.#until("1h", "session");
    const proofs = [...signIns, minute, this.#until("30s", "challenge"), this.#aWhile];
    const sessions = [this.#fresh, this.#fresh, this.#build, this.#signIn, this.#verify, this.#challenge];
    const hours = [...sessions, hour, hour, this.#again, this.#aWhile];
    const lost = [...sessions, this.#former, this.#former, this.#restart];
    const spent = this.#until("60s", "now");
    const rates = [
      this.#fresh,
      this.#burst,
      this.#burst,
      this.#again,
      this.#build,
      this.#invalid,
      this.#change,
    ];
    const crowd = [this.#crowd, this.#crowd, this.#together];
    const crowds = [...drafts, ...signIns, ...crowd];
    const crowded = [...crowd, hour, hour, ...sessions, this.#signIn];
    return [
      ...[keys, keys, lives, lives, restarts, restarts, signIns, proofs, hours, lost],
      ...[rates, rates, [...rates, spent, this.#aWhile], [...rates, half, this.#aWhile, this.#signIn]],
      ...[
        [this.#steady, this.#fresh, this.#build, this.#until("30s", "now")],
        crowds,
        crowded,
        [...rates, ...crowd],
      ],
    ];
  })();

  #who(): Who {
    const other = this.#lead === "alice" ? "bob" : "alice";
    return this.#random.percent(75) ? this.#lead : other;
  }

  #session(who: Who): number {
    const own = this.#state.named.filter((session) => session.who === who).length;
    if (own === 0 || this.#random.percent(70)) return 0;
    return Math.max(1, own - this.#random.below(3));
  }

  /** The first build under one of the keys that were used of late, the last as a rule. */
  #earlier(): Build | undefined {
    const scopes = new Map<string, Build>();
    for (const command of this.#commands.slice(-30)) {
      if (command.do !== "build" || command.key === 0 || command.session === "former") continue;
      const scope = `${command.who} ${command.key}`;
      const first = scopes.get(scope) ?? command;
      scopes.delete(scope);
      scopes.set(scope, first);
    }
    const builds = [...scopes.values()];
    const back = this.#random.pick([0, 0, 0, 1, 1, 2]);
    return builds[Math.max(0, builds.length - 1 - back)];
  }
}
