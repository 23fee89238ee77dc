/** Reports by reporters of node:test, and the events that they are given. */

import { Readable, type Transform } from "node:stream";
import { stripVTControlCharacters } from "node:util";

/**
 * The events of node:test's runner, as far as a finished run has them (Node's documentation, "Class: TestsStream").
 * Newer versions of Node add members; each is there for all, since reporters take what they know.
 */
export type TestEvent =
  | { readonly type: "test:enqueue" | "test:dequeue"; readonly data: Queued }
  | { readonly type: "test:start"; readonly data: Started }
  | { readonly type: "test:complete" | "test:pass" | "test:fail"; readonly data: Ended }
  | { readonly type: "test:plan"; readonly data: Partial<Place> & { nesting: number; count: number } }
  | { readonly type: "test:diagnostic"; readonly data: Diagnostic }
  | { readonly type: "test:summary"; readonly data: Summary };

/** Where a test is defined. */
export interface Place {
  /** Absolute path. */
  readonly file: string;
  /** File that the process was started with, from which `file` may be imported; here always the same. */
  readonly entryFile: string;
  readonly line: number;
  readonly column: number;
}

/** A test or suite that began. */
export interface Started extends Partial<Place> {
  readonly name: string;
  readonly nesting: number;
  readonly testId: number;
  /** 0 for the root. */
  readonly parentId: number;
  readonly tags: readonly string[];
}

/** A test or suite that is to begin, or does. */
export interface Queued extends Started {
  readonly type: "suite" | "test";
}

/** A test or suite that ended. */
export interface Ended extends Started {
  /** Position among its siblings, from 1. */
  readonly testNumber: number;
  readonly details: Details;
  readonly skip?: string;
  readonly todo?: string;
  readonly classname?: string;
}

/** How it ended. */
export interface Details {
  readonly duration_ms: number;
  readonly type: "suite" | "test";
  readonly error?: Error;
  /** On `test:complete` alone. */
  readonly passed?: boolean;
}

/** A line for people. */
export interface Diagnostic {
  readonly nesting: number;
  readonly message: string;
  readonly level: "info" | "warn" | "error";
}

/** What came of the whole run. */
export interface Summary {
  readonly success: boolean;
  readonly counts: Counts;
  readonly duration_ms: number;
  /** Always undefined: the summary of the whole run. */
  readonly file: undefined;
}

/** How many tests there were, and what came of them. */
export interface Counts {
  readonly tests: number;
  readonly suites: number;
  readonly topLevel: number;
  readonly passed: number;
  readonly failed: number;
  readonly cancelled: number;
  readonly skipped: number;
  readonly todo: number;
}

/** How long a reporter may take over a finished run before it is given up, in ms. */
export const REPORTER_LIMIT_MS = 10_000;

/**
 * What a reporter of node:test makes of the events.
 * @param reporter a generator function over events, a transform stream, or a class of such
 * @param color whether the text may keep the colours that reporters choose by the terminal of the process, not by
 *   where their text goes
 * @throws whatever the reporter throws; an Error where it does not finish in time
 */
export async function eventReport(
  reporter: unknown,
  events: Iterable<TestEvent>,
  color: boolean,
): Promise<string> {
  const told = textOf(made(reporter, events));
  let timer: NodeJS.Timeout | undefined;
  // A generator that waits for ever cannot be ended from outside; it is left behind.
  const late = new Promise<never>((_, reject) => {
    const fault = new Error(`it did not finish within ${REPORTER_LIMIT_MS / 1000} s`);
    // biome-ignore lint/style/noRestrictedGlobals: a foreign reporter may never finish, and only real time ends it
    timer = setTimeout(() => reject(fault), REPORTER_LIMIT_MS);
  });
  try {
    const text = await Promise.race([told, late]);
    return color ? text : stripVTControlCharacters(text);
  } finally {
    clearTimeout(timer);
  }
}

async function textOf(chunks: AsyncIterable<unknown>): Promise<string> {
  let text = "";
  for await (const chunk of chunks) text += String(chunk);
  return text;
}

/**
 * What the reporter gives, as node:test would start it. A class is told from a generator function by its prototype,
 * which has a constructor of its own.
 */
function made(reporter: unknown, events: Iterable<TestEvent>): AsyncIterable<unknown> {
  const { prototype } = reporter as { readonly prototype?: object };
  if (prototype !== undefined && Object.hasOwn(prototype, "constructor"))
    return piped(events, new (reporter as new () => Transform)());
  return typeof reporter === "function" ? reporter(oneByOne(events)) : piped(events, reporter as Transform);
}

/** As a generator gets its events from node:test, too: from another, not from a stream. */
async function* oneByOne(events: Iterable<TestEvent>): AsyncGenerator<TestEvent> {
  for (const event of events) yield event;
}

/** An error of the stream ends the iteration over what it gives. */
function piped(events: Iterable<TestEvent>, stream: Transform): AsyncIterable<unknown> {
  return Readable.from(events, { objectMode: true }).pipe(stream);
}
