import { join } from "node:path";
import { protocolSchema } from "../../legacy/adapters/protocol.schema.ts";
import { PATHS } from "../../legacy/paths.ts";

/** The schema of the adapter protocol's messages, as a file for writers of adapters. */
export const PROTOCOL_SCHEMA = join(PATHS.contract, "adapter-protocol.schema.json");

/** What stands in the file. */
export function protocolSchemaText(): string {
  return `${JSON.stringify(protocolSchema, undefined, 2)}\n`;
}
