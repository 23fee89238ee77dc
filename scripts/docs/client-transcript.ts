import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { calledRequest, envelopeOf } from "../../legacy/client-doors/called-request.ts";
import { loadClientData } from "../../legacy/contract/client/client-data.ts";
import { clientProtocolSchema } from "../../legacy/contract/client/client-protocol.schema.ts";
import { CLIENT_PROTOCOL } from "../../legacy/engine/client/client-protocol.ts";
import { client, launch } from "../../legacy/examples/clients/typescript/client.ts";
import type { Call, Launch } from "../../legacy/examples/clients/typescript/protocol.ts";
import { PATHS } from "../../legacy/paths.ts";

/** The schema of the client protocol, as a file for writers of clients. */
export const CLIENT_PROTOCOL_SCHEMA = join(PATHS.contract, "client-protocol.schema.json");

/** What stands in the file. */
export function clientProtocolSchemaText(): string {
  return `${JSON.stringify(clientProtocolSchema, undefined, 2)}\n`;
}

/** The page on the client protocol, and what stands in it before the transcript. */
const PAGE = join(PATHS.root, "docs", "client-protocol.md");
const SHOWN = /(<!-- transcript -->\n```text\n)[^`]*/;

/** The transcript as the page shows it. */
export function clientTranscriptOfPage(): string | undefined {
  const [whole, before = ""] = SHOWN.exec(readFileSync(PAGE, "utf8")) ?? [];
  return whole?.slice(before.length);
}

/** Puts a transcript into the page, in the place of the one that is there. */
export function writeIntoClientPage(transcript: string): void {
  const page = readFileSync(PAGE, "utf8");
  writeFileSync(
    PAGE,
    page.replace(SHOWN, (_, before: string) => before + transcript),
  );
}

const START_MS = Date.UTC(2026, 9, 10, 12);

/**
 * Gives the example client the first vector's launch, and writes down what goes to and fro: `> ` before what the kit gives,
 * `< ` before what the client does, `= ` before what the service answers, `# ` before remarks.
 */
export async function recordClientTranscript(): Promise<string> {
  const { contract, suites } = loadClientData();
  const [vector] = suites.vectors;
  if (vector === undefined) throw new Error("there is no vector");
  const stage = await contract.stage(vector.scenario, {
    name: vector.id,
    seed: 1,
    facts: {},
    startMs: START_MS,
  });
  const lines: string[] = [];
  const line = (mark: string, value: unknown) => lines.push(`${mark} ${JSON.stringify(value)}`);
  const message = (id: number, method: string, params: object) =>
    line(">", { jsonrpc: "2.0", id, method, params });
  try {
    const [step] = stage.steps;
    const given = step?.kind === "tasks" ? step.tasks[0]?.task : undefined;
    const task = {
      protocol: CLIENT_PROTOCOL,
      contract: contract.id,
      ...given,
      baseUrl: "http://127.0.0.1:8080",
      nowMs: START_MS,
      deadlineMs: 4000,
      retryAfterScale: 0.25,
    };
    const handle = async (call: Call) => {
      const { bearer, idempotencyKey, method, path, body } = call;
      const headers = [
        ...(bearer === undefined ? [] : [`Authorization: Bearer ${bearer}`]),
        ...(idempotencyKey === undefined ? [] : [`Idempotency-Key: ${idempotencyKey}`]),
      ];
      lines.push(`< ${[`${method} ${path}`, ...headers, body ?? ""].filter((one) => one !== "").join("  ")}`);
      const { answer } = await stage.answer(calledRequest({ ...call }));
      const envelope = envelopeOf(answer);
      if (envelope === undefined) throw new Error("an answer was lost");
      lines.push(`= ${envelope.status} ${JSON.stringify(envelope.body)}`);
      return envelope;
    };
    lines.push("# A program that is run once for each task: the task on its standard input");
    line(">", task);
    lines.push("# What it asks of the service, and is answered, at baseUrl");
    const result = await launch(task as unknown as Launch, { handle });
    lines.push("# One line on its standard output: the result");
    line("<", result);
    lines.push("# A program that stays: who are you?");
    message(1, "initialize", { protocol: CLIENT_PROTOCOL, contract: contract.id });
    line("<", { jsonrpc: "2.0", id: 1, result: { protocol: CLIENT_PROTOCOL, client } });
    lines.push("# The task, and once it has asked the service as above, the result");
    message(2, "launch", task);
    line("<", { jsonrpc: "2.0", id: 2, result });
    lines.push("# The end: answer, then exit with status 0");
    message(3, "shutdown", {});
    line("<", { jsonrpc: "2.0", id: 3, result: {} });
    return `${lines.join("\n")}\n`;
  } finally {
    await stage.close();
  }
}
