import type { Facts } from "../adapters/adapter.ts";
import type { ServiceModule } from "../adapters/in-process.ts";

/** Facts as an implementation states them (adapter protocol, "facts"): what is left out has its default. */
export type StatedFacts = Pick<Facts, "metadataHosts"> &
  Partial<Omit<Facts, "metadataHosts">> & { readonly [own: `x-${string}`]: unknown };

/** A file that exports `createService`, JavaScript or TypeScript; it runs in a process of its own. */
export interface ModuleTarget {
  /** Its path, from the working directory, or a URL: `new URL("./service.ts", import.meta.url)` is beside the file at hand. */
  readonly module: string | URL;
}

/** A program that speaks the adapter protocol on its standard input and output. */
export interface CommandTarget {
  /** As a shell takes it. */
  readonly command: string;
}

/** A process of this machine that listens, and speaks the adapter protocol over a socket. */
export interface AttachTarget {
  /** `HOST:PORT`. */
  readonly attach: string;
}

/** A server, by the contract's HTTP mapping. */
export interface UrlTarget {
  readonly url: string;
  /** Where the adapter protocol's other messages are posted, so that the server can be restarted and its clock moved. */
  readonly controlUrl?: string;
  /** What nobody can observe: the facts, or a YAML or JSON file that holds them. */
  readonly facts?: string | StatedFacts;
  /** Short for facts that are the two hosts alone. */
  readonly metadataHosts?: readonly [string, string];
  /** A file of certificates to trust, PEM. */
  readonly caFile?: string;
  /** Whether to trust any certificate of this machine. */
  readonly allowSelfSigned?: boolean;
}

/**
 * A service of the calling program. It shares its process with the kit: one that loops, exits or fills the memory takes
 * the program with it. Where that must not be, name its file as `module`.
 */
export interface ServiceTarget {
  /** What a module would export: `createService`, `facts`, and `capabilities` where there are any. */
  readonly service: ServiceModule;
}

/** Every option of every way. */
export type AnyTarget = ModuleTarget & CommandTarget & AttachTarget & UrlTarget & ServiceTarget;

/** One way to reach an implementation, and nothing that belongs to another. */
export type Alone<Way> = Way & { readonly [Other in Exclude<keyof AnyTarget, keyof Way>]?: never };

/** What is judged, and how it is reached. */
export type Target =
  | Alone<ModuleTarget>
  | Alone<CommandTarget>
  | Alone<AttachTarget>
  | Alone<UrlTarget>
  | Alone<ServiceTarget>;
