import { COUNTER_LIMIT } from "./counter-operations.ts";
import { counter } from "./counter-service.ts";

/** Adds one, whatever was asked for. */
export const ignoresAmount = counter({ added: () => 1 });

/** Is never full. */
export const forgetsLimit = counter({ fits: () => true });

/** Has room for one more than it may. */
export const offByOne = counter({ fits: (value) => value <= COUNTER_LIMIT + 1 });

/** Does not keep what was added first after a start. */
export const losesFirst = counter({ keeps: (place) => place > 1 });
