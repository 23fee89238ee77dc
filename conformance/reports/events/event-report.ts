import { Readable, type Transform } from "node:stream";
import { stripVTControlCharacters } from "node:util";
import type { TestEvent } from "./test-event.ts";

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
