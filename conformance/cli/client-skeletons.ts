import { CONTRACT_ID } from "../contract/operations.ts";
import { shellQuote } from "../reports/reproduction-command.ts";
import { OTHER } from "./skeletons.ts";

/** What the writer of a client starts from. */
export interface ClientSkeleton {
  /** The language, as people write it. */
  readonly title: string;
  /** What each file is copied from, in the kit, and what it holds. */
  readonly files: Readonly<Record<string, { readonly source: string; readonly content: string }>>;
  /** Options of `client`, for one whose files lie at `place`; none where it is still to be written. */
  readonly clientOptions?: (place: (file: string) => string) => string;
}

const PROTOCOL = {
  "client-protocol.md": {
    source: "docs/client-protocol.md",
    content: "what it is given, and what it gives, in full",
  },
} as const;

const TYPESCRIPT: ClientSkeleton = {
  title: "TypeScript",
  files: {
    "client.ts": {
      source: "conformance/examples/clients/skeleton/client.ts",
      content: "the client; `client --module` drives it",
    },
    ...PROTOCOL,
  },
  clientOptions: (place) => `--module ${shellQuote(place("client.ts"))}`,
};

const PYTHON: ClientSkeleton = {
  title: "Python",
  files: {
    "client.py": {
      source: "conformance/examples/clients/skeleton/client.py",
      content: "the client, as a program that does one launch; `client --command` drives it",
    },
    ...PROTOCOL,
  },
  clientOptions: (place) => `--command ${shellQuote(`python3 ${shellQuote(place("client.py"))}`)}`,
};

const ANY: ClientSkeleton = {
  title: "any language",
  files: {
    ...PROTOCOL,
    "client-protocol.schema.json": {
      source: "vectors/contract/client-protocol.schema.json",
      content: "JSON Schema of tasks, results and messages",
    },
  },
};

/** Skeletons of clients, by language. */
export const CLIENT_SKELETONS: Readonly<Record<string, ClientSkeleton>> = {
  typescript: TYPESCRIPT,
  python: PYTHON,
  [OTHER]: ANY,
};

/** The README that `init --client` writes beside a skeleton. */
export function clientReadme({ title, files, clientOptions }: ClientSkeleton): string {
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
