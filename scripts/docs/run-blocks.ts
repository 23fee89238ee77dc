import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import {
  chmodSync,
  closeSync,
  copyFileSync,
  cpSync,
  mkdirSync,
  openSync,
  readFileSync,
  writeFileSync,
} from "node:fs";
import { createServer } from "node:net";
import { delimiter, dirname, join } from "node:path";
import { pathToFileURL } from "node:url";
import { PATHS } from "../../legacy/paths.ts";
import { type Block, type Page, remarkOf } from "./pages.ts";
import { SHOWN_SERVICE } from "./shown-service.ts";
import { makeWorkspace } from "./workspace.ts";

/** What a run of a client, and of a service, is tried with that asks for everything, unless a remark says otherwise. */
const BRIEF_CLIENT = "--only launches/first";
const BRIEFLY = "--only platform/same-twice --runs 0 --exhaustive 0";

/** The day on which commands are run: baselines that documents show have not expired on it. */
const TODAY = "2027-01-15T12:00:00Z";

/** Pages whose `service.ts` is broken, so that there is something to see. */
const BROKEN_ON: ReadonlySet<string> = new Set(["docs/reading-a-failure.md", "docs/ci.md"]);

/** Whether a block is a command to run. */
export function isRun(block: Block): boolean {
  return block.language === "sh" && remarkOf(block, "not run") === undefined;
}

/** Whether a block needs Python, with the package that the example in Python needs. */
export function needsPython({ text }: Block): boolean {
  return text.includes("python3");
}

/**
 * Runs the commands of a page one after the other in a user's folder, as it tells its reader to; and looks whether they end
 * and print as it says.
 */
export async function runBlocks({ name, blocks }: Page, isWanted: (block: Block) => boolean): Promise<void> {
  const workspace = makeWorkspace(BROKEN_ON.has(name) ? SHOWN_SERVICE : undefined);
  try {
    const shell = await preparedShell(workspace.folder);
    /** By the last command that is shown, where that is among those wanted. */
    let printed: string | undefined = "";
    for (const block of blocks) {
      const file = remarkOf(block, "file");
      if (file !== undefined) writeFileSync(join(workspace.folder, file), block.text);
      if (isRun(block)) printed = isWanted(block) ? await runBlock(block, shell) : undefined;
      if (remarkOf(block, "printed") !== undefined && printed !== undefined) assertPrinted(block, printed);
    }
  } finally {
    workspace.remove();
  }
}

/** A folder, and a shell in which the kit is installed. */
interface Shell {
  readonly folder: string;
  readonly env: NodeJS.ProcessEnv;
  /** Stands for the port that the documents name. */
  readonly port: number;
}

async function preparedShell(folder: string): Promise<Shell> {
  const bin = join(folder, "node_modules/.bin");
  mkdirSync(bin);
  const clock = join(bin, "today.mjs");
  writeFileSync(
    clock,
    `const now = Date.now, ahead = Date.parse("${TODAY}") - now();\nDate.now = () => now() + ahead;\n`,
  );
  const kit = join(PATHS.root, "bin/launch-draft-conformance.mjs");
  writeFileSync(
    join(bin, "npx"),
    `#!/usr/bin/env bash
[ "$1" = launch-draft-conformance ] || { echo "npx $1: there is no such program here" >&2; exit 70; }
shift
if [ "$1" = run ] || [ "$1" = client ]; then
  if [ -n "$TRIED_WITH" ]; then set -- "$@" $TRIED_WITH; elif [[ " $* " != *" --only "* && " $* " != *" --replay "* ]]; then if [ "$1" = run ]; then set -- "$@" ${BRIEFLY}; else set -- "$@" ${BRIEF_CLIENT}; fi; fi
fi
exec "${process.execPath}" --import "${pathToFileURL(clock).href}" "${kit}" "$@"
`,
  );
  chmodSync(join(bin, "npx"), 0o755);
  const python = join(PATHS.examples, "python/adapter.py");
  writeFileSync(
    join(folder, "adapter.py"),
    `import runpy, sys\nsys.path.insert(0, ${JSON.stringify(dirname(python))})\nrunpy.run_path(${JSON.stringify(python)}, run_name="__main__")\n`,
  );
  const clients = join(PATHS.examples, "clients");
  copyFileSync(join(clients, "python/client.py"), join(folder, "client.py"));
  cpSync(join(clients, "typescript"), join(folder, "client"), { recursive: true });
  writeFileSync(join(folder, "client.ts"), 'export * from "./client/client.ts";\n');
  const path = [bin, dirname(process.execPath), process.env["PATH"]].join(delimiter);
  return { folder, env: { ...process.env, PATH: path, NO_COLOR: "1" }, port: await freePort() };
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  server.close();
  await once(server, "close");
  return typeof address === "object" && address !== null ? address.port : 0;
}

/** Runs a block by bash; gives what it wrote to its standard output. */
async function runBlock(block: Block, { folder, env, port }: Shell): Promise<string> {
  const expected = Number(remarkOf(block, "ends with") ?? 0);
  const script = block.text
    .replaceAll("8080", String(port))
    .split("\n")
    // A server is left running, once it has said that it listens.
    .map((line) => line.replace(/^(.*) &$/, "exec {said}< <($1); read -r -u $said"))
    .join("\n");
  const [out, err] = [join(folder, "out.log"), join(folder, "err.log")];
  const files = [openSync(out, "w"), openSync(err, "w")] as const;
  const shell = spawn("bash", ["-e", "-c", script], {
    cwd: folder,
    env: { ...env, TRIED_WITH: remarkOf(block, "tried with") ?? "" },
    stdio: ["ignore", ...files],
    detached: true,
  });
  const [status] = await once(shell, "exit");
  endGroup(shell.pid);
  for (const file of files) closeSync(file);
  const printed = readFileSync(out, "utf8");
  assert.equal(status, expected, `${block.place}\n${printed}${readFileSync(err, "utf8")}`);
  return printed;
}

/** Ends what a shell has left running. */
function endGroup(pid: number | undefined): void {
  try {
    if (pid !== undefined) process.kill(-pid, "SIGTERM");
  } catch {
    // Nothing is left.
  }
}

/** Whether each line of a block was printed, in that order; `…` stands for anything. */
function assertPrinted({ place, text }: Block, printed: string): void {
  const lines = printed.split("\n");
  let from = 0;
  for (const line of text.trimEnd().split("\n")) {
    const pattern = line.split("…").map((part) => part.replace(/[.*+?^${}()|[\]\\]/g, "\\$&"));
    const wanted = new RegExp(`^${pattern.join(".*")}$`);
    const at = lines.findIndex((one, index) => index >= from && wanted.test(one));
    assert.ok(at >= 0, `${place}\nnot printed: ${line}\n${printed}`);
    from = at + 1;
  }
}
