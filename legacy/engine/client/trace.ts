import type { Shown } from "../play/result.ts";

/** A request as it reached the scripted service. */
export interface ClientRequest {
  readonly method: string;
  /** Path with the query, as it was sent. */
  readonly target: string;
  /** Names in lower case, in the order of their sending; a header sent twice stands twice. */
  readonly headers: readonly (readonly [name: string, value: string])[];
  /** The bytes of the body, as far as they were read; absent where there were none. */
  readonly body?: Uint8Array;
}

/** What the scripted service sends, or does in place of it. */
export type StagedAnswer =
  | {
      readonly kind: "answer";
      readonly status: number;
      /** Besides those that every answer has. */
      readonly headers: readonly (readonly [name: string, value: string])[];
      /** Exact text of the body. */
      readonly text: string;
      /** The same as a value. */
      readonly body: unknown;
      /** How long it is held back, in ms of real time. */
      readonly delayMs?: number;
    }
  /** The connection is closed without an answer. */
  | { readonly kind: "lost" };

/** One request of the client, and what it was given. */
export interface Turn {
  /** 0 for the first of the vector. */
  readonly index: number;
  readonly operation: string;
  readonly request: ClientRequest;
  readonly answer: StagedAnswer;
  /** Whether the service acted on it: false where it was lost, or refused by the script, before that. */
  readonly tookEffect: boolean;
  /** What the script did to it, in words; absent where nothing. */
  readonly disturbed?: string;
  /** Ids of the tasks that were under way when it came: what one of them has asked for may serve another, too. */
  readonly tasks: readonly string[];
  /** That of them which sent it, where the way to the client tells. */
  readonly sentBy?: string;
  /** When it came and when it was answered, in ms since the vector began, by the clock that the client waits by. */
  readonly atMs: number;
  readonly answeredAtMs: number;
  /**
   * How many requests had come when it was answered, where that was seen: whoever sent one of those had not heard of the
   * answer, though no time may have passed.
   */
  readonly cameBeforeAnswer?: number;
  /** The service's clock at that time, in ms since the Unix epoch. */
  readonly serviceMs: number;
}

/** How a client ended a task. */
export type TaskEnd =
  /** It gave a result of the client protocol, unread. */
  | { readonly kind: "result"; readonly result: unknown }
  /** No result within the deadline; it was ended. */
  | { readonly kind: "overdue" }
  /** It sent more requests than any task is worth, and was ended. */
  | { readonly kind: "flooded" }
  /** It ended without a result, or wrote something else: one line that says how. */
  | { readonly kind: "broke"; readonly reason: string; readonly log?: string };

/** One task that the client was given. */
export interface TaskRecord {
  readonly id: string;
  /** What it was given, as JSON. */
  readonly task: Readonly<Record<string, unknown>>;
  readonly end: TaskEnd;
  /** In ms since the vector began, by the same clock as the turns. */
  readonly beganAtMs: number;
  readonly endedAtMs: number;
  /** How many turns there had been when it began and when it ended. */
  readonly fromTurn: number;
  readonly toTurn: number;
}

/** All that a client did in one vector. */
export interface Trace {
  readonly turns: readonly Turn[];
  readonly tasks: readonly TaskRecord[];
  /** Real ms that a ms of the client's waits takes: 1 where it waits as it says, less where it scales its waits. */
  readonly waitScale: number;
}

/** A rule that a client broke. */
export interface Violation {
  readonly rule: string;
  readonly message: string;
  readonly expected: string;
  readonly got: string;
  /** The turn that shows it, and the task, where one does. */
  readonly turn?: number;
  readonly task?: string;
  /** What to show in place of the turn's own request, such as one in which a secret is marked. */
  readonly request?: Shown;
}
