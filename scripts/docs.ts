/**
 * Writes what the documents show of the kit: the JSON Schemas of the protocols, the transcript of a conversation by each, and
 * with `--picture` (which needs Chromium) the picture of a report.
 * Usage: docs.ts [--picture]
 */
import { writeFileSync } from "node:fs";
import {
  CLIENT_PROTOCOL_SCHEMA,
  clientProtocolSchemaText,
  recordClientTranscript,
  writeIntoClientPage,
} from "./docs/client-transcript.ts";
import { PROTOCOL_SCHEMA, protocolSchemaText } from "./docs/protocol-schema.ts";
import { recordTranscript, TRANSCRIPT, writeIntoPage } from "./docs/transcript.ts";

writeFileSync(PROTOCOL_SCHEMA, protocolSchemaText());
const transcript = await recordTranscript();
writeFileSync(TRANSCRIPT, transcript);
writeIntoPage(transcript);
writeFileSync(CLIENT_PROTOCOL_SCHEMA, clientProtocolSchemaText());
writeIntoClientPage(await recordClientTranscript());
if (process.argv.includes("--picture")) {
  const { takePicture } = await import("./docs/picture.ts");
  await takePicture();
}
