import { readFileSync } from "node:fs";
import { join } from "node:path";
import { PATHS } from "../paths.ts";

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
