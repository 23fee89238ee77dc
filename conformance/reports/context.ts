import type { RuleBook } from "../engine/rule-book.ts";
import type { OperationOf } from "./failure-links.ts";
import type { Invocation } from "./reproduction-command.ts";

/** What a reporter is given beside the finished report. */
export interface ReportContext {
  readonly contract: RuleBook;
  /** Which operation of the contract a request is. */
  readonly operationOf: OperationOf;
  readonly invocation: Invocation;
  /** Whether escape sequences may colour the text. */
  readonly color: boolean;
  /** Columns of a line, where text is wrapped. */
  readonly width: number;
  /** Everything: each choice, each skip. */
  readonly verbose: boolean;
  /** Whether only what the user named was played: no verdict about the whole contract is given. */
  readonly replay?: boolean;
}
