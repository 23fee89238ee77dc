import { existsSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { kitText } from "../engine/data/packed-files.ts";
import { PATHS } from "../paths.ts";
import { initReadme } from "./init-readme.ts";
import { kitCommand } from "./kit-command.ts";
import { makeFolder } from "./make-folder.ts";
import type { Output } from "./output.ts";
import { type Language, SKELETONS, type Skeleton } from "./skeletons.ts";
import { UsageError } from "./usage-error.ts";

export interface InitOptions {
  /** Folder to write into, made where there is none. */
  readonly directory: string;
  readonly language: Language;
}

/**
 * `init`: writes the skeleton of an adapter into the user's folder.
 * @throws {UsageError} where a file of that name is there already, before anything is written, or cannot be written
 */
export function initCommand({ directory, language }: InitOptions, output: Output): number {
  const skeleton: Skeleton = SKELETONS[language];
  const contents = new Map([["README.md", initReadme(skeleton)]]);
  for (const file of Object.keys(skeleton.files)) {
    contents.set(file, kitText(join(PATHS.examples, skeleton.folder, file)));
  }
  const path = (file: string) => join(directory, file);
  const taken = [...contents.keys()].filter((file) => existsSync(path(file)));
  if (taken.length > 0) {
    throw new UsageError(
      `${taken.map(path).join(", ")} already there; nothing was written, name another folder: init DIR`,
    );
  }
  write(directory, contents);
  for (const file of contents.keys()) output.out(`wrote ${path(file)}\n`);
  output.out(`next: ${kitCommand()} run ${skeleton.runOptions(path)}\n`);
  return 0;
}

function write(directory: string, contents: ReadonlyMap<string, string>): void {
  try {
    makeFolder(directory);
    for (const [file, text] of contents) writeFileSync(join(directory, file), text, { flag: "wx" });
  } catch (error) {
    throw new UsageError(
      `${directory}: cannot be written into (${(error as NodeJS.ErrnoException).code ?? String(error)})`,
    );
  }
}
