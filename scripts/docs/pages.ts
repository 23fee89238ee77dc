import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import GithubSlugger from "github-slugger";
import { lexer, type Token } from "marked";
import { PATHS } from "../../legacy/paths.ts";

/** A fenced block of a page. */
export interface Block {
  /** `PAGE, HEADING: first line`, for messages. */
  readonly place: string;
  readonly language: string;
  readonly text: string;
  /** What HTML comments right before it say of it: see {@link remarkOf}. */
  readonly remarks: readonly string[];
}

/** A document, as far as it can be wrong. */
export interface Page {
  /** Path from the root of the project. */
  readonly name: string;
  readonly blocks: readonly Block[];
  readonly links: readonly string[];
  /** What stands in backquotes. */
  readonly codeSpans: readonly string[];
  /** What can stand behind `#` in a link to the page. */
  readonly anchors: ReadonlySet<string>;
}

/** Pages for those who use the kit: their commands are run. */
export function userPages(): readonly Page[] {
  const inFolder = readdirSync(join(PATHS.root, "docs")).filter((name) => name.endsWith(".md"));
  return ["README.md", ...inFolder.sort().map((name) => `docs/${name}`)].map(readPage);
}

/** Reads a page of the project. */
export function readPage(name: string): Page {
  return pageOf(name, readFileSync(join(PATHS.root, name), "utf8"));
}

/** Takes the text of a page apart. */
export function pageOf(name: string, text: string): Page {
  const slugger = new GithubSlugger();
  const found = {
    blocks: [] as Block[],
    links: [] as string[],
    codeSpans: [] as string[],
    anchors: new Set<string>(),
  };
  let heading = "";
  let remarks: string[] = [];
  for (const token of everyToken(lexer(text))) {
    if (token.type === "html") {
      remarks.push(...[...token.raw.matchAll(/<!-- (.*?) -->/gs)].map(([, remark = ""]) => remark));
      continue;
    }
    if (token.type === "code") {
      const [language = ""] = String(token["lang"] ?? "").split(" ");
      const code = String(token["text"]);
      const [first = ""] = code.split("\n");
      found.blocks.push({ place: `${name}, ${heading}: ${first}`, language, text: `${code}\n`, remarks });
    }
    if (token.type !== "space") remarks = [];
    if (token.type === "heading") {
      heading = String(token["text"]);
      found.anchors.add(slugger.slug(heading.replaceAll("`", "")));
    }
    if (token.type === "link" || token.type === "image") found.links.push(String(token["href"]));
    if (token.type === "codespan") found.codeSpans.push(String(token["text"]));
  }
  return { name, ...found };
}

/** What a remark of this name says: of `not run: it takes minutes` and `not run`, the words behind the name. */
export function remarkOf({ remarks }: Block, name: string): string | undefined {
  const remark = remarks.find(
    (one) => one === name || one.startsWith(`${name} `) || one.startsWith(`${name}: `),
  );
  return remark?.slice(name.length).replace(/^:/, "").trim();
}

/** Every token in the order of the text, those inside of others after them. */
function* everyToken(tokens: readonly Token[]): Generator<Token & Readonly<Record<string, unknown>>> {
  for (const token of tokens) {
    const open = token as Token & Readonly<Record<string, unknown>>;
    yield open;
    if (token.type === "list") for (const item of token["items"]) yield* everyToken(item.tokens);
    if (token.type === "table") {
      for (const cell of [...token["header"], ...token["rows"].flat()]) yield* everyToken(cell.tokens);
    }
    const inside = open["tokens"];
    if (Array.isArray(inside)) yield* everyToken(inside as Token[]);
  }
}
