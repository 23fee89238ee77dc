/**
 * What the kit and the process of a client's module have agreed upon. The kit calls `initialize` and `launch` as the client
 * protocol has them; besides, the process asks, and the kit answers, in lines of these forms.
 */

/** What the process asks while a task is under way. */
export type Question = {
  /** Matched by the answer. */
  readonly ask: number;
  /** The number of the call by which the task was given. */
  readonly task: number;
} & (
  | { readonly call: Readonly<Record<string, unknown>>; readonly sleepMs?: undefined }
  | { readonly sleepMs: number; readonly call?: undefined }
);

/** What it is answered: an envelope, that it has slept, or that there is no answer. */
export interface Answer {
  readonly asked: number;
  readonly envelope?: { readonly status: number; readonly body: unknown };
  readonly lost?: string;
  /** Where the client's clock stands. */
  readonly nowMs: number;
}

/** Begins the line of a question, so that none is taken for an answer. */
export const QUESTION = "ask ";
/** Begins the line of an answer to one. */
export const ANSWER = "answer ";

/** What a module's process is told of a task, besides. */
export interface LaunchParams {
  readonly number: number;
  readonly task: Readonly<Record<string, unknown>>;
  readonly nowMs: number;
}
