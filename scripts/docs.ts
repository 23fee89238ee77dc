/**
 * Writes what the documents show of the kit: the JSON Schema of the adapter protocol, the transcript of a conversation, and
 * with `--picture` (which needs Chromium) the picture of a report.
 * Usage: docs.ts [--picture]
 */
import { writeFileSync } from "node:fs";
import { PROTOCOL_SCHEMA, protocolSchemaText } from "./docs/protocol-schema.ts";
import { recordTranscript, TRANSCRIPT, writeIntoPage } from "./docs/transcript.ts";

writeFileSync(PROTOCOL_SCHEMA, protocolSchemaText());
const transcript = await recordTranscript();
writeFileSync(TRANSCRIPT, transcript);
writeIntoPage(transcript);
if (process.argv.includes("--picture")) {
  const { takePicture } = await import("./docs/picture.ts");
  await takePicture();
}
