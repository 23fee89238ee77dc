import { NotTransportable, type ServiceRequest } from "./adapter.ts";

/**
 * Makes sure that a request asks for nothing that only a call in the module's own process can be.
 * @throws {NotTransportable} where it does
 */
export function requireNoHanding({ handed }: ServiceRequest): void {
  if (handed !== undefined)
    throw new NotTransportable("only a caller in the module's own process hands over objects");
}

/**
 * Makes sure that a request asks for nothing that only HTTP has.
 * @throws {NotTransportable} where it does
 */
export function requireNoHttp({ authorization, chunked }: ServiceRequest): void {
  if (authorization !== undefined || chunked !== undefined)
    throw new NotTransportable("only HTTP has headers and chunks");
}
