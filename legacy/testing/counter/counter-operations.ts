/** The interface of the counter: a contract for tests alone, as small as a contract can be that has something to it. */

/** Method and path of each operation. */
export const COUNTER_ROUTES = {
  add: { method: "POST", path: "/counter/add" },
  read: { method: "GET", path: "/counter" },
} as const;

export type CounterOperation = keyof typeof COUNTER_ROUTES;

/** What the counter never passes. */
export const COUNTER_LIMIT = 10;

/** What an addition may add. */
export const AMOUNTS = [1, 2, 3] as const;
export type Amount = (typeof AMOUNTS)[number];

/** Whether a value is what an addition may add. */
export function isAmount(value: unknown): value is Amount {
  return AMOUNTS.some((amount) => amount === value);
}

/** Which operation a request is, by its exact method and path. */
export function counterOperationOf(method: string, path: string): CounterOperation | "other" {
  const names = Object.keys(COUNTER_ROUTES) as CounterOperation[];
  return (
    names.find((name) => COUNTER_ROUTES[name].method === method && COUNTER_ROUTES[name].path === path) ??
    "other"
  );
}
