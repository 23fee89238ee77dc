import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type CpuProfile, type Spent, sourcesOf, spentIn } from "./cpu-profile.ts";
import type { Measure } from "./measure.ts";
import { profileInto } from "./processes.ts";

/** What the time of the processes of a measure's first side goes on. */
export interface Profiled {
  readonly id: string;
  readonly title: string;
  readonly why?: readonly string[];
  readonly threads: readonly (Spent & { readonly name: string })[];
}

/** Threads that do nothing else than wait for so much of their time are left out. */
const IDLE = 0.95;

/** Names of threads, by a source that is theirs alone. */
const NAMES: readonly (readonly [RegExp, string])[] = [
  [/over-stdio\.ts$/, "the program"],
  [/over-http\.ts$/, "the server"],
  [/module-process-(entry|host)/, "the module's process"],
  [/thread-entry|run-thread/, "a thread of the kit"],
  [/^dist\/cli\.js$|conformance\/cli\.ts$/, "the kit"],
];

/** Samples the first side of a measure once, and profiles all programs of this repository that it starts. */
export async function profile({ id, title, why, open }: Measure): Promise<Profiled> {
  const folder = mkdtempSync(join(tmpdir(), "launch-draft-profile-"));
  const ready = await open();
  try {
    profileInto(folder);
    await ready.sides[0]?.sample();
    const profiles = readdirSync(folder).map(
      (name) => JSON.parse(readFileSync(join(folder, name), "utf8")) as CpuProfile,
    );
    const threads = profiles.map((one) => ({ name: nameOf(sourcesOf(one)), ...spentIn(one) }));
    return { id, title, ...(why === undefined ? {} : { why }), threads: longestOfEach(threads) };
  } finally {
    profileInto(undefined);
    rmSync(folder, { recursive: true });
    await ready.close?.();
  }
}

/** One thread of each name, since those with one name do alike, and those that only wait are none. */
function longestOfEach(threads: Profiled["threads"]): Profiled["threads"] {
  const byName = new Map<string, Profiled["threads"][number]>();
  for (const thread of [...threads].sort((one, other) => other.seconds - one.seconds)) {
    const [most = 0] = thread.shares.values();
    if (most < IDLE && !byName.has(thread.name)) byName.set(thread.name, thread);
  }
  return [...byName.values()].sort(
    (one, other) => NAMES_IN_ORDER.indexOf(one.name) - NAMES_IN_ORDER.indexOf(other.name),
  );
}

const OTHER = "another process";
const NAMES_IN_ORDER = [...NAMES.map(([, name]) => name).reverse(), OTHER];

function nameOf(sources: ReadonlySet<string>): string {
  return NAMES.find(([pattern]) => [...sources].some((source) => pattern.test(source)))?.[1] ?? OTHER;
}
