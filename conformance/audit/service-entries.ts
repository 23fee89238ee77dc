import type { Recorded } from "../engine/audit/recorded.ts";
import { DataError } from "../engine/data/data-error.ts";

/** How the entries of one service are distinguished: a browser has requests to many. */
export interface ServiceAddress {
  /** Prefix of the path of each request, where the user states it. */
  readonly baseUrl?: string;
  /** Where in this path an operation of the contract begins; -1 where it ends with none. */
  readonly operationIn: (method: string, path: string) => number;
  /** Prefix of all paths of the service. */
  readonly prefix: string;
}

/** An exchange with the whole address that it went to, or a restart. */
export interface AddressedItem {
  readonly url: URL | undefined;
  /** With the path as the URL has it. */
  readonly item: Recorded;
  /** The path as the service has it, where the URL cannot tell. */
  readonly path?: string;
}

/** Most entries that are kept until one shows where the service is. */
const MOST_WAITING = 2_000;

/** Selects the entries of one service from a HAR, with paths as in the contract. */
export class ServiceEntries {
  #isOwn = false;
  readonly #file: string;
  readonly #address: ServiceAddress;
  #base: string | undefined;
  #waiting: AddressedItem[] = [];
  /** Whether anything was asked of the service, and where the first request went that can be of this contract alone. */
  #isFound = false;
  #elsewhere: string | undefined;

  constructor(file: string, address: ServiceAddress) {
    this.#file = file;
    this.#address = address;
    this.#base = address.baseUrl;
  }

  /** Whether the kit wrote the HAR: then all entries are of the service, and exact. */
  get isOwn(): boolean {
    return this.#isOwn;
  }

  /** Marks the HAR as written by the kit. @param baseUrl prefix of the path of each request, where stated */
  own(baseUrl: string | undefined): void {
    this.#isOwn = true;
    this.#base ??= baseUrl;
  }

  /** Returns the entries that are known to be of the service. @throws {DataError} where there are two services */
  *take(entry: AddressedItem): Generator<Recorded, void, undefined> {
    this.#look(entry);
    if (this.#base === undefined) {
      this.#waiting.push(entry);
      if (this.#waiting.length > MOST_WAITING) this.#waiting.shift();
      return;
    }
    for (const waiting of this.#waiting.splice(0)) yield* this.#own(waiting);
    yield* this.#own(entry);
  }

  /** @throws {DataError} where nothing was asked of the service */
  end(): void {
    if (this.#base === undefined)
      throw new DataError(
        this.#file,
        "has no request of this contract; --base-url URL names where the service is",
      );
    if (this.#address.baseUrl === undefined || this.#isFound) return;
    const elsewhere =
      this.#elsewhere === undefined ? "" : `; those of this contract went to ${this.#elsewhere}`;
    throw new DataError(this.#file, `has no request to ${this.#address.baseUrl}${elsewhere}`);
  }

  /** Notes the address of an entry that is of this contract. */
  #look({ url, item }: AddressedItem): void {
    if (url === undefined || item.kind === "restart" || !/^https?:$/.test(url.protocol)) return;
    const at = this.#address.operationIn(item.request.method, url.pathname);
    if (at < 0) return;
    const base = url.origin + url.pathname.slice(0, at);
    this.#elsewhere ??= base;
    if (this.#address.baseUrl !== undefined) return;
    this.#base ??= base;
    if (base === this.#base || this.#isOwn) return;
    const both = `${this.#base} and ${base}`;
    throw new DataError(this.#file, `has two services, ${both}; --base-url URL names the one to judge`);
  }

  *#own({ url, item, path: told }: AddressedItem): Generator<Recorded, void, undefined> {
    if (url === undefined || item.kind === "restart") {
      yield item;
      return;
    }
    const whole = url.origin + item.request.path;
    const base = this.#base ?? "";
    const path = told ?? whole.slice(base.length);
    const isOwn = path.startsWith(this.#isOwn ? "/" : this.#address.prefix);
    if (!whole.startsWith(base) || (told === undefined && !isOwn)) return;
    this.#isFound = true;
    yield { ...item, request: { ...item.request, path } };
  }
}
