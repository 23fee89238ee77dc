/** Reads the docs for their tests. */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

export const ROOT = join(import.meta.dirname, "..");

/** A block of code, and the comment on the line before it. */
export interface Block {
  readonly language: string;
  readonly text: string;
  readonly line: number;
  readonly comment: string;
}

export interface Page {
  /** Path relative to the root. */
  readonly file: string;
  /** Text outside of blocks. */
  readonly prose: string;
  readonly blocks: readonly Block[];
}

/** Returns all pages: those of the root and of `docs`. */
export function readPages(): readonly Page[] {
  const pages = [
    "README.md",
    "CONTRIBUTING.md",
    ...readdirSync(join(ROOT, "docs")).map((name) => `docs/${name}`),
  ];
  return pages.filter((file) => file.endsWith(".md")).map((file) => readPage(file));
}

function readPage(file: string): Page {
  const lines = readFileSync(join(ROOT, file), "utf8").split("\n");
  const prose: string[] = [];
  const blocks: Block[] = [];
  for (let at = 0; at < lines.length; at++) {
    const language = /^```(\w*)$/.exec(lines[at] ?? "")?.[1];
    if (language === undefined) {
      prose.push(lines[at] ?? "");
      continue;
    }
    const end = lines.indexOf("```", at + 1);
    const comment = /^<!-- (.*) -->$/.exec(lines[at - 1] ?? "")?.[1] ?? "";
    blocks.push({ language, text: lines.slice(at + 1, end).join("\n"), line: at + 1, comment });
    at = end;
  }
  return { file, prose: prose.join("\n"), blocks };
}
