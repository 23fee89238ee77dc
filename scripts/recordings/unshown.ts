import { fileURLToPath } from "node:url";
import { DataError } from "../../conformance/engine/data/data-error.ts";
import { readYaml } from "../../conformance/engine/data/yaml-source.ts";
import { isObject } from "../../conformance/engine/play/exchange.ts";

/** Why some broken services cannot be found in recorded traffic. */
export interface Unshown {
  readonly why: string;
  readonly services: readonly string[];
}

const FILE = fileURLToPath(new URL("unshown.yaml", import.meta.url));

/** The reasons that are stated. @throws {DataError} where the file is not what it must be */
export function loadUnshown(): readonly Unshown[] {
  const { value } = readYaml(FILE);
  const isReason = (one: unknown): one is Unshown =>
    isObject(one) &&
    typeof one["why"] === "string" &&
    Array.isArray(one["services"]) &&
    one["services"].every((id) => typeof id === "string");
  if (Array.isArray(value) && value.every(isReason)) return value;
  throw new DataError(FILE, "is no list of {why, services: [ID, …]}");
}
