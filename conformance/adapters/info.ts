/** Reads what an implementation states about itself (adapter protocol, "capabilities" and "facts"). */
import { createHash } from "node:crypto";
import bs58 from "bs58";
import { isObject, type JsonObject, show, valueAt } from "../data/json.ts";
import { escapeText, nearest } from "../data/text.ts";
import { type Facts, ImplementationError, type ImplementationInfo } from "./adapter.ts";

/** The required form of a member: in words for messages, and as a predicate. */
type Check = readonly [expected: string, accepts: (value: unknown) => boolean];
type Checks = Readonly<Record<string, Check>>;

export const oneOf = (...values: readonly unknown[]): Check => [
  values.map((value) => JSON.stringify(value)).join(" or "),
  (value) => values.includes(value),
];
const BOOLEAN = oneOf(true, false);
const TEXT: Check = ["a string that is not empty", (value) => typeof value === "string" && value !== ""];
const COUNT: Check = ["a positive integer", (value) => Number.isSafeInteger(value) && Number(value) > 0];

export const IMPLEMENTATION: Checks = { name: TEXT, version: TEXT, language: TEXT };
const CAPABILITIES: Checks = {
  clock: oneOf("virtual", "real"),
  restart: BOOLEAN,
  rawBody: BOOLEAN,
  concurrency: BOOLEAN,
  instances: COUNT,
};
const CAPACITY: Checks = { challenges: COUNT, sessions: COUNT, drafts: COUNT };
const FACTS: Checks = {
  metadataHosts: [
    "two different host names without scheme, port, or path",
    (value) =>
      Array.isArray(value) &&
      value.length === 2 &&
      value.every(isHostName) &&
      new Set(value.map(hostOf)).size === 2,
  ],
  operatorKey: [
    "a base58 public key of 32 bytes",
    (value) => typeof value === "string" && bs58.decodeUnsafe(value.slice(0, 64))?.length === 32,
  ],
  signedBytes: oneOf("utf8", "hex", "base64", "sha256", "adapter"),
  capacity: ["an object", isObject],
  clockStepMs: ["an integer from 1 to 1000", (value) => COUNT[1](value) && Number(value) <= 1000],
};

function isHostName(value: unknown): boolean {
  return typeof value === "string" && /^[^\s/\\:@?#]+$/.test(value);
}

/** Returns the spelling of a host name in URLs, which is the same for each spelling of the host. */
function hostOf(name: string): string {
  const url = `https://${name}/`;
  return URL.canParse(url) ? new URL(url).hostname.replace(/\.$/, "") : name;
}

/**
 * Checks the statements of an implementation about itself, and fills in the defaults: a virtual clock,
 * restarts, raw bodies, and signatures of the message as UTF-8. A member that is null counts as absent.
 * @param stated `{implementation, capabilities?, facts}`
 * @param source source of the object, for messages: `initialize`, or a file
 * @param concurrency default of the capability `concurrency`
 * @throws {ImplementationError} if a member is unknown, missing, or wrong
 */
export function readInfo(
  stated: unknown,
  source: string,
  transport: ImplementationInfo["transport"],
  concurrency: boolean,
): ImplementationInfo {
  if (!isObject(stated)) throw new ImplementationError(`${source}: expected an object, got ${show(stated)}`);
  const misspelled = Object.keys(stated).find((name) => nearest(name, ["capabilities"]) !== undefined);
  if (misspelled !== undefined && !Object.hasOwn(stated, "capabilities"))
    throw new ImplementationError(
      `${source}: unknown name "${escapeText(misspelled, 80)}"; did you mean "capabilities"?`,
    );
  const read = <Members>(path: string, value: unknown, checks: Checks, defaults: JsonObject) =>
    readMembers(value, `${source}: ${path}`, checks, defaults) as Members;
  const { implementation } = stated;
  const { name, version, language } = isObject(implementation) ? implementation : {};
  const assumed = { clock: "virtual", restart: true, rawBody: true, concurrency };
  const required = { metadataHosts: undefined, signedBytes: "utf8", capacity: {} };
  const facts = read<Facts>("facts", stated["facts"], FACTS, required);
  return {
    implementation: read("implementation", { language }, IMPLEMENTATION, { name, version }),
    capabilities: read("capabilities", stated["capabilities"], CAPABILITIES, assumed),
    facts: { ...facts, capacity: read("facts.capacity", facts.capacity, CAPACITY, {}) },
    transport,
  };
}

/** Returns the members of an object, with defaults. @throws {ImplementationError} if one is unknown or wrong */
export function readMembers(stated: unknown, path: string, checks: Checks, defaults: JsonObject): JsonObject {
  const fail = (message: string): never => {
    throw new ImplementationError(`${path}${message}`);
  };
  if (!isObject(stated ?? {})) fail(` must be an object, got ${show(stated)}`);
  const present = Object.entries(stated ?? {}).filter(([, value]) => value !== null && value !== undefined);
  const members = { ...defaults, ...Object.fromEntries(present) };
  for (const [name, value] of Object.entries(members)) {
    const [expected, accepts] = (Object.hasOwn(checks, name) && checks[name]) || [];
    const known = Object.keys(checks);
    const meant = nearest(name, known);
    const hint = meant === undefined ? `use one of ${known.join(", ")}` : `did you mean "${meant}"?`;
    if (accepts === undefined) return fail(` has the unknown name "${escapeText(name, 80)}"; ${hint}`);
    if (!accepts(value)) fail(`.${name} must be ${expected}, got ${show(value)}`);
  }
  return members;
}

/** A form of signed bytes that the kit derives from the message, without the adapter. */
export type SignedBytes = Exclude<Facts["signedBytes"], "adapter">;

/** Returns the bytes that a client signs for a message. */
export function signedBytesOf(form: SignedBytes, message: string): Uint8Array {
  const bytes =
    form === "sha256" ? createHash("sha256").update(message).digest() : Buffer.from(message, form);
  return new Uint8Array(bytes);
}

/** Capabilities and adapters that a vector can need, each with its name in reports and a description. */
const NEEDS: Readonly<Record<string, readonly [name: string, words: string]>> = {
  "virtual-clock": ["capability:clock", "a clock that the kit can move (capability clock: virtual)"],
  "real-clock": ["capability:clock", "a clock that the kit cannot move (capability clock: real)"],
  restart: ["capability:restart", "a service that can be restarted (capability restart)"],
  rawBody: ["capability:rawBody", "a service that gets the exact text of the body (capability rawBody)"],
  concurrency: ["capability:concurrency", "parallel processing of requests (capability concurrency)"],
  http: ["adapter:http", "a server that is reached over HTTP (--url)"],
  "not-http": ["adapter:not-http", "a service that is called without HTTP (--module or --command)"],
  "in-process": ["adapter:in-process", "a module that is called without HTTP or stdio (--module)"],
};

/** A need for a stated capacity of at least N entries: `capacity.drafts >= 41`. */
const CAPACITY_NEED = /^capacity\.(\w+) >= (\d+)$/;

/** Returns the first need that an implementation does not meet, in words, or undefined. */
export function firstUnmetNeed(info: ImplementationInfo, needs: Iterable<string>): string | undefined {
  const [unmet] = unmetNeeds(info, needs);
  return unmet === undefined ? undefined : (NEEDS[unmet]?.[1] ?? `the fact ${unmet}`);
}

/** The part of the info that decides whether needs are met. Clients have no capabilities. */
type StatedInfo = Pick<ImplementationInfo, "transport"> & Partial<ImplementationInfo>;

/** Returns the names of unmet needs, each as `capability:NAME`, `adapter:NAME`, or `fact:NAME`. */
export function lackedNames(info: StatedInfo, needs: Iterable<string>): readonly string[] {
  return unmetNeeds(info, needs).map((need) => NEEDS[need]?.[0] ?? `fact:${need.replace(/\W.*/, "")}`);
}

function unmetNeeds(
  { capabilities, facts, transport }: StatedInfo,
  needs: Iterable<string>,
): readonly string[] {
  const isStated = (value: unknown) => value !== undefined && value !== false;
  const isMet = (need: string) => {
    if (need === "not-http") return transport !== "http";
    if (need === transport || need === `${capabilities?.clock}-clock`) return true;
    const [, store, entries] = CAPACITY_NEED.exec(need) ?? [];
    if (store !== undefined) return Number(valueAt(facts, ["capacity", store]) ?? 0) >= Number(entries);
    return isStated(valueAt(capabilities, [need])) || isStated(valueAt(facts, [need]));
  };
  return [...needs].filter((need) => !isMet(need));
}
