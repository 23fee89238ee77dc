import type { ServiceAddress } from "../audit/service-entries.ts";
import { operationOf, ROUTES, VERSION_PREFIX } from "../contract/operations.ts";

/** How a recording tells the requests of this contract from others. @param baseUrl what stands before the path of each, where that is known */
export function serviceAddress(baseUrl: string | undefined): ServiceAddress {
  return { prefix: `${VERSION_PREFIX}/`, operationIn, ...(baseUrl === undefined ? {} : { baseUrl }) };
}

/** Where in a path the path of an operation begins; -1 where it ends with none. */
function operationIn(method: string, path: string): number {
  const route = Object.values(ROUTES).find((one) => one.method === method && path.endsWith(one.path));
  return route === undefined || operationOf(method, route.path) === "other"
    ? -1
    : path.length - route.path.length;
}
