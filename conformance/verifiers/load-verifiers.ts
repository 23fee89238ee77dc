import { readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { checkSchema } from "../engine/data/schema.ts";
import { readYaml } from "../engine/data/yaml-source.ts";
import { PATHS } from "../paths.ts";

const path = (name: string) => fileURLToPath(new URL(name, import.meta.url));

/** A signature about which libraries differ. */
export interface PublishedCase {
  readonly what: string;
  /** The open point that asks whether it is accepted. */
  readonly point: string;
  readonly message: Uint8Array;
  readonly key: Uint8Array;
  readonly signature: Uint8Array;
}

/** A library that verifies Ed25519 signatures, and what is published of it. */
export interface Verifier {
  /** Its key in `libraries.ts`. */
  readonly id: string;
  readonly name: string;
  /** For each published case, whether it accepts it. */
  readonly row: readonly boolean[];
  /** Points on which another form of the same case is decided otherwise, with what is seen. */
  readonly unlike: Readonly<Record<string, string>>;
  /** The version of OpenSSL of which the row is published, where the library is whatever Node comes with. */
  readonly openssl?: string;
  /** Where the row is said. */
  readonly source: string;
}

/** The published cases, in their order. @throws {DataError} */
export function publishedCases(): readonly PublishedCase[] {
  const { cases } = read("speccheck") as { cases: readonly Record<string, string>[] };
  return cases.map(({ what = "", point = "", message = "", key = "", signature = "" }) => ({
    what,
    point,
    message: bytes(message),
    key: bytes(key),
    signature: bytes(signature),
  }));
}

/** The verifiers, in their order. @throws {DataError} */
export function loadVerifiers(): readonly Verifier[] {
  const { verifiers } = read("verifiers") as {
    verifiers: readonly (Omit<Verifier, "row" | "unlike"> & {
      readonly row: string;
      readonly unlike?: Verifier["unlike"];
    })[];
  };
  return verifiers.map(({ row, unlike = {}, ...verifier }) => ({
    ...verifier,
    row: [...row].map((letter) => letter === "V"),
    unlike,
  }));
}

/** Reason why nothing is published of the library that this Node comes with; false where the row holds. */
export function unpublished({ openssl }: Verifier): string | false {
  const { openssl: own } = process.versions;
  if (openssl === undefined || `${own}`.startsWith(`${openssl}.`)) return false;
  return `published of OpenSSL ${openssl}, and this Node has ${own}`;
}

/** The choices that a service over this verifier shows, by point. */
export function predictedChoices(
  { row, unlike }: Verifier,
  cases: readonly PublishedCase[],
): ReadonlyMap<string, string> {
  const predicted = new Map<string, string>();
  for (const [index, { point }] of cases.entries()) {
    const reading = row[index] ? "accepted" : "INVALID_PROOF";
    const others = predicted.get(point)?.split(" | ") ?? [];
    predicted.set(point, [...new Set([...others, reading])].sort().join(" | "));
  }
  return new Map([...predicted, ...Object.entries(unlike)]);
}

function read(name: string): unknown {
  const source = readYaml(path(`${name}.yaml`));
  checkSchema(source, path(`${name}.schema.json`));
  return source.value;
}

function bytes(hex: string): Uint8Array {
  return new Uint8Array(Buffer.from(hex, "hex"));
}

/** The packages whose names are not those of their verifiers. */
const PACKAGES: Readonly<Record<string, string>> = {
  libsodium: "libsodium-wrappers",
  stablelib: "@stablelib/ed25519",
  "noble-ed25519-3": "@noble/ed25519",
  "noble-curves": "@noble/curves",
};

interface Manifest {
  readonly dependencies: Readonly<Record<string, string>>;
  readonly devDependencies: Readonly<Record<string, string>>;
}

/** The version of a verifier's package as package.json pins it; Node's own verifiers have none. */
export function pinnedVersion(id: string): string {
  const { dependencies, devDependencies } = JSON.parse(
    readFileSync(join(PATHS.root, "package.json"), "utf8"),
  ) as Manifest;
  const pinned = { ...dependencies, ...devDependencies }[PACKAGES[id] ?? id];
  return pinned?.replace(/^npm:.*@/, "") ?? "Node's own";
}
