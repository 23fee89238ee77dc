import { type Late, NoAnswer } from "./adapter.ts";

/** An answer that is overdue is awaited until this many times the limit have passed since the call was sent. */
const AWAITED_LIMITS = 3;

export interface WithinLimitOptions {
  /** How long the call may take, in milliseconds; 0 is for ever. */
  readonly limitMs: number;
  /** One line, asked for when the limit has passed. */
  readonly message: () => string;
  /** Whether the connection is of no more use then: see `AdapterFault`. */
  readonly fatal: boolean;
  readonly log?: () => string | undefined;
  /** Called once where the answer is no longer awaited. */
  readonly giveUp: () => void;
}

/**
 * What a call that was just sent is answered with, within a limit.
 *
 * @throws {NoAnswer} once the limit has passed; its `late` tells whether the answer came after all
 */
export function withinLimit<Value>(answer: Promise<Value>, options: WithinLimitOptions): Promise<Value> {
  const { limitMs, message, fatal, log = () => undefined } = options;
  if (limitMs <= 0) return answer;
  const sentAt = Date.now();
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => {
      const late = lateAnswer(answer, sentAt, options);
      reject(
        new NoAnswer(message(), { fatal, log: log(), limitMs, awaitedMs: AWAITED_LIMITS * limitMs, late }),
      );
    }, limitMs);
    const inTime = () => clearTimeout(timer);
    answer.then(inTime, inTime);
    answer.then(resolve, reject);
  });
}

/** What became of an overdue call. */
function lateAnswer(
  answer: Promise<unknown>,
  sentAt: number,
  { limitMs, giveUp }: WithinLimitOptions,
): Promise<Late> {
  return new Promise((resolve) => {
    const timer = setTimeout(
      () => {
        resolve("given up");
        giveUp();
      },
      (AWAITED_LIMITS - 1) * limitMs,
    );
    // A connection that is closed meanwhile must not keep the program for it.
    timer.unref();
    const settle = (late: Late) => {
      clearTimeout(timer);
      resolve(late);
    };
    answer.then(
      () => settle(Date.now() - sentAt),
      () => settle("broken"),
    );
  });
}
