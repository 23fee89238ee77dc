import { GivenUp } from "../play/breakage.ts";
import type { Purpose } from "../play/line.ts";

/** So many requests of one operation go unanswered in a row, or altogether, before it is not asked for any more. */
const MOST_IN_A_ROW = 3;
const MOST_ALTOGETHER = 30;

interface Counted {
  inARow: number;
  altogether: number;
  readonly ids: Set<string>;
  /** Whether a request was awaited to the end, in vain: the next ones are not. */
  hangs: boolean;
  /** Why the operation is not asked for any more, once it is not. */
  givenUp?: string;
}

/** Which operations were not answered in time, and how often: the same hang over and over would cost hours. */
export class Unanswered {
  readonly #byOperation = new Map<string, Counted>();

  /** @throws {GivenUp} where the operation is not asked for any more */
  check(operation: string): void {
    const counted = this.#byOperation.get(operation);
    if (counted?.givenUp !== undefined) throw new GivenUp(counted.givenUp);
  }

  /** Takes note that the operation was answered in time. */
  answered(operation: string): void {
    const counted = this.#byOperation.get(operation);
    if (counted !== undefined) counted.inARow = 0;
  }

  /** Takes note of a request that was not answered in time, or not at all. */
  count({ operation, id }: Pick<Purpose, "operation" | "id">, hung: boolean): void {
    const counted = this.#byOperation.get(operation) ?? {
      inARow: 0,
      altogether: 0,
      ids: new Set<string>(),
      hangs: false,
    };
    this.#byOperation.set(operation, counted);
    counted.inARow += 1;
    counted.altogether += 1;
    counted.ids.add(id);
    counted.hangs ||= hung;
    if (counted.inARow < MOST_IN_A_ROW && counted.altogether < MOST_ALTOGETHER) return;
    const where = counted.ids.size === 1 ? "1 vector" : `${counted.ids.size} vectors`;
    counted.givenUp ??= `not tried: \`${operation}\` ${counted.hangs ? "hung" : "was too slow"} in ${where}`;
  }

  /** Whether a request of the operation was awaited to the end in vain. */
  hangs(operation: string): boolean {
    return this.#byOperation.get(operation)?.hangs ?? false;
  }
}
