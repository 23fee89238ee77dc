/** Reads what an implementation states about itself (adapter protocol, "capabilities" and "facts"). */
import { createHash } from "node:crypto";
import bs58 from "bs58";
import leven from "leven";
import { type Facts, ImplementationError, type ImplementationInfo } from "./adapter.ts";
import { isObject, type JsonObject, show } from "./json.ts";
import { escapeText } from "./text.ts";

/** The form that a member must have: in words, and as a test. */
interface Check {
  readonly expected: string;
  readonly accepts: (value: unknown) => boolean;
}
type Checks = Readonly<Record<string, Check>>;

const oneOf = (...values: readonly string[]): Check => ({
  expected: values.map((value) => `"${value}"`).join(" or "),
  accepts: (value) => values.includes(value as string),
});
const BOOLEAN: Check = { expected: "true or false", accepts: (value) => typeof value === "boolean" };
const OBJECT: Check = { expected: "an object", accepts: isObject };
const TEXT: Check = {
  expected: "a string that is not empty",
  accepts: (value) => typeof value === "string" && value !== "",
};
const POSITIVE_INTEGER: Check = {
  expected: "a positive integer",
  accepts: (value) => Number.isSafeInteger(value) && Number(value) > 0,
};

const IMPLEMENTATION: Checks = { name: TEXT, version: TEXT, language: TEXT };
const CAPABILITIES: Checks = {
  clock: oneOf("virtual", "real"),
  restart: BOOLEAN,
  rawBody: BOOLEAN,
  concurrency: BOOLEAN,
  instances: POSITIVE_INTEGER,
};
const CAPACITY: Checks = {
  challenges: POSITIVE_INTEGER,
  sessions: POSITIVE_INTEGER,
  drafts: POSITIVE_INTEGER,
};
const FACTS: Checks = {
  metadataHosts: {
    expected: "two host names without scheme, port, or path",
    accepts: (value) => Array.isArray(value) && value.length === 2 && value.every(isHostName),
  },
  operatorKey: {
    expected: "a base58 public key of 32 bytes",
    accepts: (value) => typeof value === "string" && bs58.decodeUnsafe(value.slice(0, 64))?.length === 32,
  },
  signedBytes: oneOf("utf8", "hex", "base64", "sha256", "adapter"),
  capacity: OBJECT,
  clockStepMs: POSITIVE_INTEGER,
};

function isHostName(value: unknown): boolean {
  return typeof value === "string" && /^[^\s/\\:@?#]+$/.test(value);
}

/**
 * Checks what an implementation states, and fills in the defaults: a virtual clock, restarts, raw bodies, and
 * signatures of the message as UTF-8. A member that is null counts as absent.
 * @param stated `{implementation, capabilities?, facts}`
 * @param source where it comes from, as the start of messages: `initialize`, or a file
 * @param concurrency whether requests are in flight together, if that is not stated
 * @throws {ImplementationError} if a member is unknown, missing, or wrong
 */
export function readInfo(
  stated: unknown,
  source: string,
  transport: ImplementationInfo["transport"],
  concurrency: boolean,
): ImplementationInfo {
  const fail = (message: string): never => {
    throw new ImplementationError(`${source}: ${message}`);
  };
  if (!isObject(stated)) return fail(`expected an object, got ${show(stated)}`);
  for (const name of ["implementation", "capabilities", "facts"])
    if (!isObject(stated[name] ?? {})) fail(`${name} must be an object, got ${show(stated[name])}`);
  for (const name of Object.keys(stated)) {
    const meant = Object.hasOwn(stated, "capabilities") ? undefined : nearest(name, ["capabilities"]);
    if (meant !== undefined) fail(`unknown name "${escapeText(name, 80)}"; did you mean "${meant}"?`);
  }
  const { name, version, language } = presentMembers(stated["implementation"]);
  const implementation = { name, version, ...(language === undefined ? {} : { language }) };
  checkMembers(implementation, IMPLEMENTATION, "implementation", fail);
  const capabilities = presentMembers(stated["capabilities"]);
  checkMembers(capabilities, CAPABILITIES, "capabilities", fail);
  const { clock = "virtual", restart = true, rawBody = true } = capabilities;
  return {
    implementation: implementation as ImplementationInfo["implementation"],
    capabilities: { concurrency, ...capabilities, clock, restart, rawBody } as never,
    facts: checkFacts(presentMembers(stated["facts"]), fail),
    transport,
  };
}

function checkFacts(stated: JsonObject, fail: (message: string) => never): Facts {
  const facts: JsonObject = { metadataHosts: undefined, signedBytes: "utf8", capacity: {}, ...stated };
  checkMembers(facts, FACTS, "facts", fail);
  const capacity = presentMembers(facts["capacity"]);
  checkMembers(capacity, CAPACITY, "facts.capacity", fail);
  return { ...facts, capacity } as unknown as Facts;
}

function presentMembers(value: unknown): JsonObject {
  const members = Object.entries(isObject(value) ? value : {});
  return Object.fromEntries(members.filter(([, member]) => member !== null && member !== undefined));
}

function checkMembers(
  members: JsonObject,
  checks: Checks,
  path: string,
  fail: (message: string) => never,
): void {
  for (const [name, value] of Object.entries(members)) {
    const check = Object.hasOwn(checks, name) ? checks[name] : undefined;
    if (check === undefined) {
      const meant = nearest(name, Object.keys(checks));
      const hint =
        meant === undefined ? `known are ${Object.keys(checks).join(", ")}` : `did you mean "${meant}"?`;
      fail(`${path} has the unknown name "${escapeText(name, 80)}"; ${hint}`);
    } else if (!check.accepts(value)) fail(`${path}.${name} must be ${check.expected}, got ${show(value)}`);
  }
}

/** Returns the known name that a misspelled name is nearest to, or undefined if none is near. */
function nearest(name: string, known: readonly string[]): string | undefined {
  const distanceTo = (one: string) => leven(name.slice(0, 80).toLowerCase(), one.toLowerCase());
  const [best] = [...known].sort((one, other) => distanceTo(one) - distanceTo(other));
  return best !== undefined && distanceTo(best) <= Math.max(2, best.length / 3) ? best : undefined;
}

/**
 * Returns the bytes that a client signs for a message.
 * @param ask asks the implementation, if `facts.signedBytes` is `adapter`
 */
export async function bytesToSign(
  { signedBytes }: Facts,
  message: string,
  ask: (message: string) => Promise<Uint8Array>,
): Promise<Uint8Array> {
  return signedBytes === "adapter" ? ask(message) : signedBytesOf(signedBytes, message);
}

/** A form of signed bytes that the kit can derive from the message itself. */
export type SignedBytes = Exclude<Facts["signedBytes"], "adapter">;

/** Returns the bytes that are signed for a message. */
export function signedBytesOf(form: SignedBytes, message: string): Uint8Array {
  if (form === "sha256") return new Uint8Array(createHash("sha256").update(message).digest());
  return new Uint8Array(Buffer.from(message, form));
}

/** Needs of vectors other than facts, in words. */
const NEEDS: Readonly<Record<string, string>> = {
  "virtual-clock": "a clock that the kit can move (capability clock: virtual)",
  "real-clock": "a clock that the kit cannot move (capability clock: real)",
  restart: "a service that can be restarted (capability restart)",
  rawBody: "the exact text of the body to reach the service (capability rawBody)",
  concurrency: "requests that are in flight together (capability concurrency)",
  http: "a server that is reached over HTTP (--url)",
  "in-process": "a module that is called in its own process (--module)",
};

/** A need for a store whose stated capacity is at least N entries: `capacity.drafts >= 41`. */
const CAPACITY_NEED = /^capacity\.(challenges|sessions|drafts) >= (\d+)$/;

/** Returns the first of the needs that an implementation does not meet, in words, or undefined. */
export function firstUnmetNeed(info: ImplementationInfo, needs: Iterable<string>): string | undefined {
  const [unmet] = unmetNeeds(info, needs);
  return unmet === undefined ? undefined : (NEEDS[unmet] ?? `the fact ${unmet}`);
}

/** The info that needs are compared with. Clients have no capabilities. */
type StatedInfo = Pick<ImplementationInfo, "transport"> & Partial<ImplementationInfo>;

/** Returns the names of the needs that an implementation lacks: `capability:NAME`, `adapter:NAME`, or `fact:NAME`. */
export function lackedNames(info: StatedInfo, needs: Iterable<string>): readonly string[] {
  const nameOf = (need: string) => {
    if (need === "http" || need === "in-process") return `adapter:${need}`;
    if (CAPACITY_NEED.test(need)) return "fact:capacity";
    return need in NEEDS ? `capability:${need.replace(/^.*-clock$/, "clock")}` : `fact:${need}`;
  };
  return unmetNeeds(info, needs).map(nameOf);
}

function unmetNeeds(
  { capabilities, facts, transport }: StatedInfo,
  needs: Iterable<string>,
): readonly string[] {
  const available: JsonObject = {
    ...facts,
    ...capabilities,
    "virtual-clock": capabilities?.clock === "virtual",
    "real-clock": capabilities?.clock === "real",
    http: transport === "http",
    "in-process": transport === "in-process",
  };
  return [...needs].filter((need) => {
    const [, store, entries] = CAPACITY_NEED.exec(need) ?? [];
    if (store !== undefined)
      return !((facts?.capacity[store as keyof Facts["capacity"]] ?? 0) >= Number(entries));
    return available[need] === undefined || available[need] === false;
  });
}
