import { Readable, type Transform } from "node:stream";
import { pipeline } from "node:stream/promises";
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
  let text = "";
  const collect = async (source: AsyncIterable<unknown>) => {
    for await (const chunk of source) text += String(chunk);
  };
  const piped = pipeline(Readable.from(events, { objectMode: true }), instance(reporter), collect);
  let timer: NodeJS.Timeout | undefined;
  // A generator that waits for ever cannot be ended from outside; its pipeline is left behind.
  const late = new Promise<never>((_, reject) => {
    const fault = new Error(`it did not finish within ${REPORTER_LIMIT_MS / 1000} s`);
    timer = setTimeout(() => reject(fault), REPORTER_LIMIT_MS);
  });
  try {
    await Promise.race([piped, late]);
  } finally {
    clearTimeout(timer);
  }
  return color ? text : stripVTControlCharacters(text);
}

/** Tells a class from a generator function as node:test does: only a class's prototype has a constructor of its own. */
function instance(reporter: unknown): Transform {
  const { prototype } = reporter as { readonly prototype?: object };
  const isClass = prototype !== undefined && Object.hasOwn(prototype, "constructor");
  return isClass ? new (reporter as new () => Transform)() : (reporter as Transform);
}
