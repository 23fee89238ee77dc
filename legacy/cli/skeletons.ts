import { shellQuote } from "../reports/reproduction-command.ts";

/** Where a file of the skeleton lies, as a command of the shell names it. */
type Place = (file: string) => string;

/** What a skeleton consists of, and how the kit is run on it. */
export interface Skeleton {
  /** The language, as people write it. */
  readonly title: string;
  /** Folder of the examples that its files are copied from. */
  readonly folder: string;
  /** Each file and what it holds. */
  readonly files: Readonly<Record<string, string>>;
  /** What must be installed besides Node, if anything. */
  readonly needs?: string;
  /** Command that builds it, given in its folder, where there is anything to build. */
  readonly build?: string;
  /** Options of `run`, for a skeleton whose files lie at `place`. */
  readonly runOptions: (place: Place) => string;
  /** How requests that are in flight together are answered. */
  readonly concurrency: string;
  /** Where the kit's own tests run it. */
  readonly tried: string;
  /** What else a user must know of it. */
  readonly remark?: string;
}

const command = (line: string): string => `--command ${shellQuote(line)}`;

/** A program in a place, which the shell finds there alone. */
const program = (path: string): string => shellQuote(path.includes("/") ? path : `./${path}`);

const ONE_FILE = "the service, and the protocol between it and the kit";
const AT_EACH_TEST = "in every run of the tests";
const IN_LANGUAGES = "in the test of the languages";

const TYPESCRIPT: Skeleton = {
  title: "TypeScript",
  folder: "typescript",
  files: {
    "skeleton.ts": "the service, and what the kit must know of it; `run --module` drives it",
    "skeleton-stdio.ts": "the same as a process of its own; `run --command` drives it",
  },
  runOptions: (place) => `--module ${shellQuote(place("skeleton.ts"))}`,
  concurrency: "promises, in the kit's own process",
  tried: AT_EACH_TEST,
};

/** The skeletons, by what `init --language` calls them. */
export const SKELETONS = {
  typescript: TYPESCRIPT,
  ts: TYPESCRIPT,
  python: {
    title: "Python",
    folder: "python",
    files: { "skeleton.py": ONE_FILE },
    needs: "Python 3.9 or later",
    runOptions: (place) => command(`python3 ${shellQuote(place("skeleton.py"))}`),
    concurrency: "threads of a pool",
    tried: IN_LANGUAGES,
  },
  go: {
    title: "Go",
    folder: "go",
    files: { "skeleton.go": ONE_FILE },
    needs: "Go 1.19 or later",
    build: "go build -o adapter skeleton.go",
    runOptions: (place) => command(program(place("adapter"))),
    concurrency: "a goroutine each",
    tried: IN_LANGUAGES,
  },
  java: {
    title: "Java",
    folder: "java",
    files: { "Skeleton.java": ONE_FILE },
    needs: "a JDK, 17 or later",
    build: "javac -d out Skeleton.java",
    runOptions: (place) => command(`java -cp ${shellQuote(place("out"))} Skeleton`),
    concurrency: "threads of a pool",
    tried: IN_LANGUAGES,
    remark:
      "Java has no JSON of its own. The skeleton brings a small reader for what the kit sends, so that it needs no library; your service gives the text of its bodies, and makes it with the library that it has.",
  },
} as const satisfies Readonly<Record<string, Skeleton>>;

/** A name of a language in which there is a skeleton. */
export type Language = keyof typeof SKELETONS;

/** What `init --language` calls any language without a skeleton. */
export const OTHER = "other";

/** All that `init --language` takes. */
export const LANGUAGES: readonly string[] = [...Object.keys(SKELETONS), OTHER];

/** Files that are copied from the kit: what each is copied from there, and what it holds. */
export type StartingFiles = Readonly<Record<string, { readonly source: string; readonly content: string }>>;

/** What the writer of an adapter in a language without a skeleton starts from. */
export const STARTING_FILES: StartingFiles = {
  "adapter-protocol.md": {
    source: "docs/adapter-protocol.md",
    content: "the protocol, in full",
  },
  "adapter-protocol.schema.json": {
    source: "vectors/contract/adapter-protocol.schema.json",
    content: "JSON Schema of its messages; `$defs` has the params and the result of each method",
  },
  "transcript.txt": {
    source: "legacy/examples/protocol/transcript.txt",
    content: "a conversation to follow: `>` is what the kit sends, `<` what the adapter answers",
  },
};

/** What the writer of a client starts from. */
export interface ClientSkeleton {
  /** The language, as people write it. */
  readonly title: string;
  readonly files: StartingFiles;
  /** Options of `client`, for one whose files lie at `place`; none where it is still to be written. */
  readonly clientOptions?: (place: Place) => string;
}

const CLIENT_PROTOCOL = {
  "client-protocol.md": {
    source: "docs/client-protocol.md",
    content: "what it is given, and what it gives, in full",
  },
} as const;

const TYPESCRIPT_CLIENT: ClientSkeleton = {
  title: "TypeScript",
  files: {
    "client.ts": {
      source: "legacy/examples/clients/skeleton/client.ts",
      content: "the client; `client --module` drives it",
    },
    ...CLIENT_PROTOCOL,
  },
  clientOptions: (place) => `--module ${shellQuote(place("client.ts"))}`,
};

const PYTHON_CLIENT: ClientSkeleton = {
  title: "Python",
  files: {
    "client.py": {
      source: "legacy/examples/clients/skeleton/client.py",
      content: "the client, as a program that does one launch; `client --command` drives it",
    },
    ...CLIENT_PROTOCOL,
  },
  clientOptions: (place) => `--command ${shellQuote(`python3 ${shellQuote(place("client.py"))}`)}`,
};

const ANY_CLIENT: ClientSkeleton = {
  title: "any language",
  files: {
    ...CLIENT_PROTOCOL,
    "client-protocol.schema.json": {
      source: "vectors/contract/client-protocol.schema.json",
      content: "JSON Schema of tasks, results and messages",
    },
  },
};

/** Skeletons of clients, by language. */
export const CLIENT_SKELETONS: Readonly<Record<string, ClientSkeleton>> = {
  typescript: TYPESCRIPT_CLIENT,
  python: PYTHON_CLIENT,
  [OTHER]: ANY_CLIENT,
};
