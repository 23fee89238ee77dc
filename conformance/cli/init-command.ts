/** `init`: skeletons of adapters and of clients, and the README next to each. */
import { existsSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { CONTRACT_ID } from "../contract/operations.ts";
import { kitText } from "../engine/data/packed-files.ts";
import { PATHS } from "../paths.ts";
import { columns } from "../reports/columns.ts";
import { shellQuote } from "../reports/reproduction-command.ts";
import { kitCommand } from "./kit-command.ts";
import type { Output } from "./output.ts";
import {
  CLIENT_SKELETONS,
  type ClientSkeleton,
  type Language,
  OTHER,
  SKELETONS,
  type Skeleton,
  STARTING_FILES,
  type StartingFiles,
} from "./skeletons.ts";
import { UsageError } from "./usage-error.ts";
import { makeFolder } from "./write-file.ts";

export interface InitOptions {
  /** Folder to write into, made where there is none. */
  readonly directory: string;
  readonly language: Language | typeof OTHER;
  /** Whether a client is to be written, rather than an adapter of a service. */
  readonly client?: boolean;
}

/** What `init` writes, and the commands that come next. */
interface Written {
  /** Files by their names, the README among them. */
  readonly contents: ReadonlyMap<string, string>;
  readonly build?: string;
  /** Words of the kit that judge it; none where it is still to be written. */
  readonly judge?: string;
}

/**
 * `init`: writes the skeleton of an adapter or a client into the user's folder, or what it takes to write one.
 * @throws {UsageError} where a file of that name is there already, before anything is written, or cannot be written
 */
export function initCommand({ directory, language, client = false }: InitOptions, output: Output): number {
  const path = (file: string) => join(directory, file);
  const { contents, build, judge } = client ? ofClient(language, path) : ofService(language, path);
  write(directory, contents, output);
  if (build !== undefined) output.out(`build: ${inFolder(directory, build)}\n`);
  output.out(judge === undefined ? `next: read ${path("README.md")}\n` : `next: ${kitCommand()} ${judge}\n`);
  return 0;
}

function ofService(language: InitOptions["language"], path: (file: string) => string): Written {
  if (language === OTHER) return { contents: copied(otherReadme(), STARTING_FILES) };
  const skeleton: Skeleton = SKELETONS[language];
  const { build, runOptions, folder, files } = skeleton;
  const sources = Object.keys(files).map(
    (file) => [file, kitText(join(PATHS.examples, folder, file))] as const,
  );
  return {
    contents: new Map([["README.md", initReadme(skeleton)], ...sources]),
    ...(build === undefined ? {} : { build }),
    judge: `run ${runOptions(path)}`,
  };
}

function ofClient(language: string, path: (file: string) => string): Written {
  const skeleton = CLIENT_SKELETONS[language];
  if (skeleton === undefined) {
    const known = Object.keys(CLIENT_SKELETONS).filter((name) => name !== OTHER);
    throw new UsageError(
      `there is no skeleton of a client in ${language}, but in ${known.join(" and ")}; --language ${OTHER} writes the protocol`,
    );
  }
  const { files, clientOptions } = skeleton;
  const contents = copied(clientReadme(skeleton), files);
  return clientOptions === undefined ? { contents } : { contents, judge: `client ${clientOptions(path)}` };
}

/** `init --list`: the languages, and what each needs. */
export function initListCommand(output: Output): number {
  const names = new Map<Skeleton, readonly string[]>();
  for (const [name, skeleton] of Object.entries<Skeleton>(SKELETONS)) {
    names.set(skeleton, [...(names.get(skeleton) ?? []), name]);
  }
  const rows = [...names].map(([skeleton, all]) => [
    all.join(", "),
    skeleton.title,
    skeleton.needs ?? "nothing else",
  ]);
  const other = [OTHER, "any other language", "the protocol, its JSON Schema and a transcript to follow"];
  const head = ["--language", "a skeleton in", "needs besides Node"];
  output.out(`${columns([head, ...rows, other]).join("\n")}\n`);
  return 0;
}

/** A command line that does its work in a folder, and leaves the shell where it is. */
function inFolder(directory: string, line: string): string {
  return directory === "." ? line : `(cd ${shellQuote(directory)} && ${line})`;
}

/** Files of the kit, with a README; documents without their links to others. */
function copied(readme: string, files: StartingFiles): ReadonlyMap<string, string> {
  const names = new Map(Object.entries(files).map(([file, { source }]) => [source, file]));
  const texts = [...names].map(([source, file]) => {
    const text = kitText(join(PATHS.root, source));
    return [file, file.endsWith(".md") ? standalonePage(text, names) : text] as const;
  });
  return new Map([["README.md", readme], ...texts]);
}

/**
 * A page of the documents, for a folder where there are no others: a link to one of the project's files is its mere text.
 * @param files files that lie next to the page now, by their paths in the project
 */
export function standalonePage(text: string, files: ReadonlyMap<string, string>): string {
  let page = text.replaceAll(/\[([^\]]+)\]\((?!https?:)[^)\s]*\)/g, "$1");
  for (const [path, file] of files) page = page.replaceAll(path, file);
  return page;
}

/** Writes all files, or none where one is there already. */
function write(directory: string, contents: ReadonlyMap<string, string>, output: Output): void {
  const path = (file: string) => join(directory, file);
  const taken = [...contents.keys()].filter((file) => existsSync(path(file)));
  if (taken.length > 0) {
    throw new UsageError(
      `${taken.map(path).join(", ")} already there; nothing was written, name another folder: init DIR`,
    );
  }
  try {
    makeFolder(directory);
    for (const [file, text] of contents) writeFileSync(join(directory, file), text, { flag: "wx" });
  } catch (error) {
    throw new UsageError(
      `${directory}: cannot be written into (${(error as NodeJS.ErrnoException).code ?? String(error)})`,
    );
  }
  for (const file of contents.keys()) output.out(`wrote ${path(file)}\n`);
}

/** The vector that fails first of a skeleton. */
const FIRST_FAILURE = "platform/constants/between-seconds";

const EXIT_STATUS =
  "Exit status: 0 conforms, 1 does not, 2 wrong usage, 3 the adapter broke, 4 a required rule was not tried.\n";

const FACTS = `State the facts: the two metadata hosts, and, where they apply, the operator key, how the message of a challenge
   becomes the bytes to sign (\`signedBytes\`), and the most entries held at once. The kit cannot see these from outside.`;

/** The README that `init` writes beside a skeleton. */
function initReadme({ title, files, needs, build, runOptions, remark }: Skeleton): string {
  const options = runOptions((file) => file);
  const kit = `npx launch-draft-conformance run ${options}`;
  return `# Adapter for the conformance kit, in ${title}

The kit judges a service of contract \`${CONTRACT_ID}\` through this skeleton.

${rowsOf(Object.entries(files))}

It needs ${needs === undefined ? "nothing besides the kit" : `${needs}, and no library`}.${remark === undefined ? "" : ` ${remark}`}

## Three commands

From this folder:

1. Build it${
    build === undefined
      ? ": there is nothing to build."
      : `:

       ${build}`
  }

2. Run the kit on it, where the kit is installed:

       ${kit}

3. See one failure again. The report ends each with its own command, such as:

       ${kit} --only ${FIRST_FAILURE} --seed 1

From a checkout of the kit, \`npm run --silent conformance -- run ${runOptions((file) => `/path/to/${file}`)}\` does the same.

The run ends with exit status 1: the skeleton returns only the platform profile, with only two of its fields.

## What to do

1. Put your service where the skeleton says to replace, and give it the clock it is handed. It must read no other clock,
   or lifetimes cannot be tested.
2. ${FACTS}
3. Run the kit, and begin with the first failure. \`--bail\` stops there, \`--only GLOB\` chooses vectors, \`list\` shows
   them, and \`explain ID\` says what a rule or a vector is about.

${EXIT_STATUS}`;
}

/** The README that `init` writes for a language in which there is no skeleton. */
function otherReadme(): string {
  const rows = Object.entries(STARTING_FILES).map(([file, { content }]) => [file, content] as const);
  const kit = "npx launch-draft-conformance run --command ./adapter";
  return `# Adapter for the conformance kit, in any language

The kit judges a service of contract \`${CONTRACT_ID}\` through a program that you write: it reads one JSON-RPC request a
line from standard input, hands it to your service, and writes one answer a line to standard output. Here is what you need
for it; nothing of this was run.

${rowsOf(rows)}

A skeleton in a language that you can read shows how long it is: \`npx launch-draft-conformance init --list\`.

## Three commands

1. Build your adapter as you build all else.

2. Run the kit on it, where the kit is installed, with the command that starts your adapter:

       ${kit}

3. See one failure again. The report ends each with its own command, such as:

       ${kit} --only ${FIRST_FAILURE} --seed 1

## What to do

1. Answer \`initialize\`, and do not claim capabilities that the adapter lacks. A first one may say
   \`{"clock": "virtual", "restart": true, "rawBody": true, "concurrency": false}\`; the kit then waits for each answer.
2. ${FACTS}
3. Answer \`start\`, \`handle\`, \`advance\` and \`shutdown\`. Give your service a clock that \`start\` sets and \`advance\`
   moves; it must read no other.
4. Flush after each line, let one thread write at a time, and log to standard error. Refuse a method that you do not know,
   and a line that is no request, with a JSON-RPC error: the adapter goes on.
5. Hold the answers to the schema in your own tests. \`sed -n 's/^> //p' transcript.txt | ./adapter\` sends your adapter what
   the kit sends in the transcript; what it answers differs as your service does, but each line has an answer.

${EXIT_STATUS}`;
}

function rowsOf(files: readonly (readonly [file: string, content: string])[]): string {
  return files.map(([file, content]) => `- \`${file}\`: ${content}`).join("\n");
}

/** The README that `init --client` writes beside a skeleton. */
function clientReadme({ title, files, clientOptions }: ClientSkeleton): string {
  const rows = Object.entries(files).map(([file, { content }]) => `| \`${file}\` | ${content} |`);
  const options = clientOptions?.((file) => file) ?? '--command "./my-client"';
  const kit = `npx launch-draft-conformance client ${options}`;
  return `# A client for the conformance kit, in ${title}

The kit judges clients of contract \`${CONTRACT_ID}\`: it gives this one launches to do, plays the service, and looks at every
request.

| file | what it holds |
|---|---|
${rows.join("\n")}

## Two commands

1. Run the kit on it, where the kit is installed:

       ${kit}

2. See one failure again. The report ends each with its own command, such as:

       ${kit} --only launches/first --seed 1

## From red to green

1. Ask for the platform profile, and take its terms hash: each service has another.
2. Ask for a challenge for the creator of the task. Sign its message exactly as it came, and send the proof.
3. Build, with the bearer of the session and an Idempotency-Key of your own. Give the draft as it came.
4. Then look at what goes wrong: a refusal, an answer that never comes. To give up is no failure; to try again has rules.
5. Never send the secret key anywhere.

Exit status: 0 conforms, 1 does not, 2 wrong usage, 3 the client could not be run, 4 a required rule was not tried.
`;
}
