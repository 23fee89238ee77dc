import { spawn } from "node:child_process";
import { once } from "node:events";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { PATHS } from "../../legacy/paths.ts";

/** The transcript that `docs/adapter-protocol.md` shows. */
export const TRANSCRIPT = join(PATHS.examples, "protocol", "transcript.txt");

/** The page, and what stands in it before the transcript. */
const PAGE = join(PATHS.root, "docs", "adapter-protocol.md");
const SHOWN = /(<!-- transcript -->\n```text\n)[^`]*/;

/** A line that the kit sends, or one that the adapter answers. */
export interface TranscriptLine {
  readonly from: "kit" | "adapter";
  readonly message: { readonly id: number; readonly method?: string } & Readonly<Record<string, unknown>>;
}

/** Reads a transcript: `> ` before what the kit sends, `< ` before what the adapter answers, `# ` before remarks. */
export function readTranscript(text: string): readonly TranscriptLine[] {
  return text
    .split("\n")
    .filter((line) => /^[<>] /.test(line))
    .map((line) => ({ from: line.startsWith(">") ? "kit" : "adapter", message: JSON.parse(line.slice(2)) }));
}

/** The transcript as the page shows it. */
export function transcriptOfPage(): string | undefined {
  const [whole, before = ""] = SHOWN.exec(readFileSync(PAGE, "utf8")) ?? [];
  return whole?.slice(before.length);
}

/** Puts a transcript into the page, in the place of the one that is there. */
export function writeIntoPage(transcript: string): void {
  const page = readFileSync(PAGE, "utf8");
  writeFileSync(
    PAGE,
    page.replace(SHOWN, (_, before: string) => before + transcript),
  );
}

interface Recorded {
  readonly steps: readonly { readonly nowMs: number; readonly request?: object }[];
}

/** What is said about some of the kit's lines, and the lines: a whole flow, then what an adapter is asked besides. */
function script(): readonly { readonly remark: string; readonly method: string; readonly params: object }[] {
  const { steps }: Recorded = JSON.parse(readFileSync(join(PATHS.golden, "happy-path.json"), "utf8"));
  const [profile, challenge, verify, build] = steps.map(({ request }) => request ?? {});
  const nowMs = steps[0]?.nowMs ?? 0;
  const service = "service-1";
  const handled = (request: object = {}) => ({ service, ...request });
  return [
    {
      remark: "Who are you, and what can you do?",
      method: "initialize",
      params: { protocol: 1, contract: "partner-preview-1" },
    },
    { remark: "A new service with empty state, whose clock reads nowMs", method: "start", params: { nowMs } },
    { remark: "The platform profile", method: "handle", params: handled(profile) },
    { remark: "A challenge; body is text, not a JSON value", method: "handle", params: handled(challenge) },
    { remark: "The proof of it", method: "handle", params: handled(verify) },
    { remark: "A build, with its bearer and its key", method: "handle", params: handled(build) },
    {
      remark: "A body that is not valid UTF-8",
      method: "handle",
      params: { service, method: "POST", path: "/v1/auth/challenge", bodyBase64: "/w==" },
    },
    { remark: "An hour passes", method: "advance", params: { ms: 3_600_000, service } },
    { remark: "The session is over", method: "handle", params: handled(build) },
    { remark: "A restart of this service, and of no other", method: "start", params: { nowMs, service } },
    {
      remark: "What the adapter does not know is an error, and it goes on",
      method: "bytesToSign",
      params: { message: "text" },
    },
    { remark: "The end: answer, then exit with status 0", method: "shutdown", params: {} },
  ];
}

/** Talks to the adapter of the TypeScript skeleton, over the reference as fixtures show it, and writes down each line. */
export async function recordTranscript(): Promise<string> {
  const adapter = join(PATHS.examples, "typescript/skeleton-stdio.ts");
  const service = join(PATHS.referenceSources, "golden-service.ts");
  const child = spawn(process.execPath, ["--import", "tsx", adapter, service], {
    cwd: PATHS.root,
    stdio: ["pipe", "pipe", "inherit"],
  });
  const ended = once(child, "exit");
  const answers = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  const lines: string[] = [];
  for (const [index, { remark, method, params }] of script().entries()) {
    const sent = JSON.stringify({ jsonrpc: "2.0", id: index + 1, method, params });
    child.stdin.write(`${sent}\n`);
    const { value: answer, done } = await answers.next();
    if (done === true) throw new Error(`the adapter ended at: ${sent}`);
    lines.push(`# ${remark}`, `> ${sent}`, `< ${answer}`);
  }
  const [status] = await ended;
  if (status !== 0) throw new Error(`the adapter ended with ${status}`);
  return `${lines.join("\n")}\n`;
}
