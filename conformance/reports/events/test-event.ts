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
