import { existsSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { CONTRACT_ID } from "../contract/operations.ts";
import { kitText } from "../engine/data/packed-files.ts";
import { PATHS } from "../paths.ts";
import { shellQuote } from "../reports/reproduction-command.ts";
import { columns } from "../reports/text-layout.ts";
import { kitCommand } from "./invocation.ts";
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
    contents: new Map([["README.md", adapterReadme(skeleton)], ...sources]),
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

/** The README of a skeleton of an adapter. */
function adapterReadme({ title, files, needs, build, runOptions, remark }: Skeleton): string {
  return readme("adapter", {
    title,
    files: rowsOf(Object.entries(files)),
    needs: needs === undefined ? "nothing besides the kit" : `${needs}, and no library`,
    remark: remark === undefined ? "" : ` ${remark}`,
    build: build === undefined ? " there is nothing to build." : `\n\n       ${build}`,
    kit: `npx launch-draft-conformance run ${runOptions((file) => file)}`,
    checkout: runOptions((file) => `/path/to/${file}`),
  });
}

/** The README of a skeleton of a client. */
function clientReadme({ title, files, clientOptions }: ClientSkeleton): string {
  const options = clientOptions?.((file) => file) ?? '--command "./my-client"';
  const kit = `npx launch-draft-conformance client ${options}`;
  return readme("client", { title, files: startingRows(files), kit });
}

/** The README of the protocol, for a language in which there is no skeleton. */
function otherReadme(): string {
  const kit = "npx launch-draft-conformance run --command ./adapter";
  return readme("other", { files: startingRows(STARTING_FILES), kit });
}

/** A README of `examples/readme`, with values in place of the names in braces. */
function readme(name: "adapter" | "other" | "client", values: Readonly<Record<string, string>>): string {
  const known: Readonly<Record<string, string>> = { contract: CONTRACT_ID, ...values };
  const text = kitText(join(PATHS.examples, "readme", `${name}.md`));
  return text.replaceAll(/\{(\w+)\}/g, (found, place: string) => known[place] ?? found);
}

function startingRows(files: StartingFiles): string {
  return rowsOf(Object.entries(files).map(([file, { content }]) => [file, content] as const));
}

function rowsOf(files: readonly (readonly [file: string, content: string])[]): string {
  return files.map(([file, content]) => `- \`${file}\`: ${content}`).join("\n");
}
