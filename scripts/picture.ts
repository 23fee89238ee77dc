/**
 * Draws the picture in the README: what a run prints about a service with one fault. Usage: picture.ts
 */
import { createHash } from "node:crypto";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { InProcessAdapter } from "../conformance/adapters/in-process.ts";
import { readServiceContract } from "../conformance/contract/contract.ts";
import { readVersion } from "../conformance/data/kit-files.ts";
import { formatHeader, formatVerdict } from "../conformance/report/console.ts";
import { toData } from "../conformance/report/data.ts";
import { failureLines } from "../conformance/report/failure.ts";
import { groupFailures } from "../conformance/report/groups.ts";
import { html, type Markup } from "../conformance/report/markup.ts";
import { run } from "../conformance/run/run.ts";
import { loadKitVectors } from "../conformance/suite/load.ts";
import * as reference from "../reference/service.ts";
import { ROOT } from "./docs.ts";

export const PICTURE = join(ROOT, "docs/report.svg");

const COLUMNS = 96;
const CHARACTER_WIDTH = 8.4;
const LINE_HEIGHT = 20;
const MARGIN = 24;
const COMMAND = "npx launch-draft-conformance run --module ./service.ts";

/** Number of random values of all services, from which each value is derived: every run gives equal responses. */
let values = 0;
const random = (bytes: number) =>
  createHash("shake256", { outputLength: bytes }).update(`${values++}`).digest();

/** A service that refuses an expired or used challenge with the code of an invalid proof. */
function createService(options: reference.ServiceOptions) {
  const service = reference.createService({ ...options, random });
  return {
    handle(call: unknown) {
      const { status, body } = service.handle(call);
      const isUsed = "code" in body && body.code === "EXPIRED_OR_USED_CHALLENGE";
      return { status, body: isUsed ? { ...body, code: "INVALID_PROOF" } : body };
    },
  };
}

/** Returns the lines that a run prints about this service, without numbers that change with every vector. */
async function linesOfRun(): Promise<readonly string[]> {
  const contract = readServiceContract();
  const implementation = { name: "my-service", version: "1.0.0", language: "TypeScript" };
  const adapter = new InProcessAdapter({ ...reference, createService, implementation } as never);
  const report = await run(contract, loadKitVectors(contract), adapter);
  const data = toData(report, { kit: readVersion(), contract, command: COMMAND });
  const [group] = groupFailures(data);
  if (group === undefined) throw new Error("the service has a fault, but no test fails");
  const header = formatHeader(data, data.run.seed, data.service, "--module ./service.ts", COLUMNS);
  return [
    ...[`$ ${COMMAND}`, ""],
    ...header,
    ...failureLines(group.first, data, COLUMNS),
    ...["", formatVerdict(data)],
  ];
}

/** Returns the picture as SVG. */
export async function drawPicture(): Promise<string> {
  const lines = await linesOfRun();
  const [width, height] = [COLUMNS * CHARACTER_WIDTH + 2 * MARGIN, lines.length * LINE_HEIGHT + 2 * MARGIN];
  const size = html`width="${Math.round(width)}" height="${height}"`;
  return html`<svg xmlns="http://www.w3.org/2000/svg" ${size} viewBox="0 0 ${Math.round(width)} ${height}" role="img">
<title>A run that names the violated rule of a service</title>
<style>text { font: 14px ui-monospace, Menlo, Consolas, monospace; fill: #d7dee6; white-space: pre; }
.red { fill: #ff7a85; } .green { fill: #4cc26b; } .strong { font-weight: bold; } .soft { fill: #97a3b0; }</style>
<rect ${size} rx="8" fill="#0f1318"/>
${lines.map(drawLine)}</svg>
`.text;
}

/** CSS classes of lines, by their start. */
const CLASSES: readonly (readonly [RegExp, string])[] = [
  [/^(?:FAILED|Does not conform)/, "red strong"],
  [/^ {2}expected/, "green"],
  [/^ {2}(?:got|differs)/, "red"],
  [/^ {2}[A-Z]+-\d+ |^\$/, "strong"],
  [/^ {2}|^launch-draft|^Service/, "soft"],
];

function drawLine(line: string, index: number): Markup {
  if (line === "") return html``;
  const [, kind = ""] = CLASSES.find(([form]) => form.test(line)) ?? [];
  // The length makes columns align in every font.
  const [x, y] = [MARGIN, MARGIN + (index + 0.75) * LINE_HEIGHT];
  const length = (line.length * CHARACTER_WIDTH).toFixed(1);
  return html`<text x="${x}" y="${y}" class="${kind}" textLength="${length}" xml:space="preserve">${line}</text>\n`;
}

const [, script = ""] = process.argv;
if (import.meta.url === pathToFileURL(script).href) writeFileSync(PICTURE, await drawPicture());
