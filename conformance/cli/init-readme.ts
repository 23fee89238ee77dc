import { CONTRACT_ID } from "../contract/operations.ts";
import type { Skeleton } from "./skeletons.ts";

/** The vector that fails first of a skeleton. */
export const FIRST_FAILURE = "platform/constants/between-seconds";

/** What the writer of an adapter in a language without a skeleton starts from. */
export const STARTING_FILES = {
  "adapter-protocol.md": {
    source: "docs/adapter-protocol.md",
    content: "the protocol, in full",
  },
  "adapter-protocol.schema.json": {
    source: "vectors/contract/adapter-protocol.schema.json",
    content: "JSON Schema of its messages; `$defs` has the params and the result of each method",
  },
  "transcript.txt": {
    source: "conformance/examples/protocol/transcript.txt",
    content: "a conversation to follow: `>` is what the kit sends, `<` what the adapter answers",
  },
} as const;

const EXIT_STATUS =
  "Exit status: 0 conforms, 1 does not, 2 wrong usage, 3 the adapter broke, 4 a required rule was not tried.\n";

const FACTS = `State the facts: the two metadata hosts, and, where they apply, the operator key, how the message of a challenge
   becomes the bytes to sign (\`signedBytes\`), and the most entries held at once. The kit cannot see these from outside.`;

/** The README that `init` writes beside a skeleton. */
export function initReadme({ title, files, needs, build, runOptions, remark }: Skeleton): string {
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

The run ends with exit status 1: the skeleton answers the platform profile alone, and but two of its fields.

## What to do

1. Put your service where the skeleton says to replace, and give it the clock it is handed. It must read no other clock,
   or lifetimes cannot be tested.
2. ${FACTS}
3. Run the kit, and begin with the first failure. \`--bail\` stops there, \`--only GLOB\` chooses vectors, \`list\` shows
   them, and \`explain ID\` says what a rule or a vector is about.

${EXIT_STATUS}`;
}

/** The README that `init` writes for a language in which there is no skeleton. */
export function otherReadme(): string {
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

1. Answer \`initialize\`, and claim there no capability that the adapter has not. A first one may say
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
