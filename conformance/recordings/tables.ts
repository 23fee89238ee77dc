/** The tables of `vectors/contract/recordings.yaml`: how tools record traffic. */
import { join } from "node:path";
import { DataError } from "../data/data-file.ts";
import { DATA_FOLDER } from "../data/kit-files.ts";
import { readChecked, unknown } from "../data/schema-check.ts";

/** Name of a part of an exchange (`$defs/format` of the schema describes the parts). */
export type Slot =
  | ("at" | "end" | "durationMs" | "durationSeconds" | "durationNs" | "timings" | "clockMs" | "restart")
  | ("method" | "url" | "host" | "requestLine" | "headers" | "authorization" | "bearer" | "key")
  | ("body" | "bodyBase64" | "bodySize" | "bodyEncoding")
  | ("status" | "responseBody" | "responseBase64" | "responseSize" | "responseEncoding");

/** For each part of an exchange, the paths of member names where the part can stand. */
export type Format = { readonly [Name in Slot]?: readonly string[] } & {
  readonly title: string;
  /** Whether a part of a request that is missing was not sent, or is unknown. */
  readonly missing: "none" | "unknown";
};

interface Tables {
  readonly units: readonly { readonly name: string; readonly smallest: number; readonly ms: number }[];
  readonly redacted: { readonly anywhere: readonly string[]; readonly secret: readonly string[] };
  readonly between: readonly number[];
  readonly formats: Readonly<Record<string, Format>> & { readonly recording: Format; readonly har: Format };
}

const SCHEMA = join(DATA_FOLDER, "contract", "recordings.schema.json");

/** @throws {DataError} on import of this module, if the file does not match its schema */
export const TABLES = readChecked(join(DATA_FOLDER, "contract", "recordings.yaml"), SCHEMA).value as Tables;

/** Returns the format with a name, or that a file describes. @throws {DataError} */
export function readFormat(nameOrFile: string): Format {
  const { formats } = TABLES;
  if (Object.hasOwn(formats, nameOrFile)) return formats[nameOrFile] as Format;
  if (/^[\w-]+$/.test(nameOrFile))
    throw new DataError(`--map: ${unknown("format", nameOrFile, Object.keys(formats))}`);
  return readChecked(nameOrFile, SCHEMA, undefined, "format").value as Format;
}

const REDACTED = {
  anywhere: TABLES.redacted.anywhere.map((pattern) => new RegExp(pattern, "i")),
  secret: [...TABLES.redacted.anywhere, ...TABLES.redacted.secret].map((pattern) => new RegExp(pattern, "i")),
};

/** Returns whether a tool has replaced a text, or a part of it. @param kind what the text usually is */
export function isRedacted(text: string, kind: keyof typeof REDACTED): boolean {
  return REDACTED[kind].some((pattern) => pattern.test(text));
}

/** Members whose texts people choose. The other texts of the contract are secrets or derived from keys. */
const CHOSEN: ReadonlySet<string> = new Set(["name", "symbol", "uri", "nextGate"]);

/** Returns the kind of text that a member of a request or response has. */
export function kindOf(name: string): keyof typeof REDACTED {
  return CHOSEN.has(name) ? "anywhere" : "secret";
}
