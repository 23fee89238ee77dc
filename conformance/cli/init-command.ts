import { existsSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { kitText } from "../engine/data/packed-files.ts";
import { PATHS } from "../paths.ts";
import { columns } from "../reports/columns.ts";
import { shellQuote } from "../reports/reproduction-command.ts";
import { CLIENT_SKELETONS, clientReadme } from "./client-skeletons.ts";
import { initReadme, otherReadme, STARTING_FILES } from "./init-readme.ts";
import { kitCommand } from "./kit-command.ts";
import { makeFolder } from "./make-folder.ts";
import type { Output } from "./output.ts";
import { type Language, OTHER, SKELETONS, type Skeleton } from "./skeletons.ts";
import { standalonePage } from "./standalone-page.ts";
import { UsageError } from "./usage-error.ts";

export interface InitOptions {
  /** Folder to write into, made where there is none. */
  readonly directory: string;
  readonly language: Language | typeof OTHER;
  /** Whether a client is to be written, rather than an adapter of a service. */
  readonly client?: boolean;
}

/**
 * `init`: writes the skeleton of an adapter into the user's folder, or what it takes to write one.
 * @throws {UsageError} where a file of that name is there already, before anything is written, or cannot be written
 */
export function initCommand({ directory, language, client = false }: InitOptions, output: Output): number {
  if (client) return initClient({ directory, language }, output);
  const skeleton: Skeleton | undefined = language === OTHER ? undefined : SKELETONS[language];
  const contents = skeleton === undefined ? contentsOfOther() : contentsOf(skeleton);
  const path = (file: string) => join(directory, file);
  write(directory, contents, output);
  if (skeleton === undefined) {
    output.out(`next: read ${path("README.md")}\n`);
    return 0;
  }
  const { build, runOptions } = skeleton;
  if (build !== undefined) output.out(`build: ${inFolder(directory, build)}\n`);
  output.out(`next: ${kitCommand()} run ${runOptions(path)}\n`);
  return 0;
}

/** `init --client`: writes the skeleton of a client, or what it takes to write one. */
function initClient({ directory, language }: InitOptions, output: Output): number {
  const skeleton = CLIENT_SKELETONS[language];
  if (skeleton === undefined) {
    const known = Object.keys(CLIENT_SKELETONS).filter((name) => name !== OTHER);
    throw new UsageError(
      `there is no skeleton of a client in ${language}, but in ${known.join(" and ")}; --language ${OTHER} writes the protocol`,
    );
  }
  const names = new Map(Object.entries(skeleton.files).map(([file, { source }]) => [source, file]));
  const sources = [...names].map(([source, file]) => {
    const text = kitText(join(PATHS.root, source));
    return [file, file.endsWith(".md") ? standalonePage(text, names) : text] as const;
  });
  write(directory, new Map([["README.md", clientReadme(skeleton)], ...sources]), output);
  const path = (file: string) => join(directory, file);
  const { clientOptions } = skeleton;
  if (clientOptions === undefined) output.out(`next: read ${path("README.md")}\n`);
  else output.out(`next: ${kitCommand()} client ${clientOptions(path)}\n`);
  return 0;
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

function contentsOf(skeleton: Skeleton): ReadonlyMap<string, string> {
  const files = Object.keys(skeleton.files);
  const sources = files.map((file) => [file, kitText(join(PATHS.examples, skeleton.folder, file))] as const);
  return new Map([["README.md", initReadme(skeleton)], ...sources]);
}

function contentsOfOther(): ReadonlyMap<string, string> {
  const files = Object.entries(STARTING_FILES);
  const names = new Map<string, string>(files.map(([file, { source }]) => [source, file]));
  const sources = files.map(([file, { source }]) => {
    const text = kitText(join(PATHS.root, source));
    return [file, file.endsWith(".md") ? standalonePage(text, names) : text] as const;
  });
  return new Map([["README.md", otherReadme()], ...sources]);
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
