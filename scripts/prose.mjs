// Finds phrases that read badly in docs, comments, messages, and YAML. Prints their places and what to write.
// Usage: node scripts/prose.mjs [PATH…] (default: the paths in CHECKED). Exit status 1 if it finds any.
import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import jsTokens from "js-tokens";

const CHECKED = "README.md CONTRIBUTING.md docs conformance reference examples scripts vectors".split(" ");

/** Phrases, and what to write instead. */
const PHRASES = [
  [
    /(?:(?:^|[.;:]\s)What\s(?![^?]*\?)|\b(?:of|by|for|to|from|with|than)\s+what\s+(?![^?]{0,90}\?))[a-z]/,
    "name the thing",
  ],
  [
    /\b(?:(?:is|are|was|were|be|been)\s+(?:asked|told)|tells?\s+(?:of|the whole|more|what|which|whether|why|how|it)\b|told\s+(?:of|from)\b)/,
    "request, get, report, or list",
  ],
  [/\b(?:nobody|whoever|somebody|everybody|anybody|whatever)\b/i, "name the actor or the thing"],
  [
    /,?\s+where\s+(?:it|that|this|there|they|these|those|one|none|nothing|each|all|some|an?|both|several)\s+(?:is|are|was|were|has|have|had|does|do|can|cannot|could|may|must|might|holds?|needs?)\b/,
    "if or when",
  ],
  [
    /(?<!\bthere )\b(?:is|are|was|were)\s+no\s+(?!(?:longer|more|less|fewer|later|earlier|need|doubt|reason|way|such)\b|\w+er\s+than\b)[a-z`]/i,
    "is not a …",
  ],
  [/\bas\s+far\s+as\b|\bas\s+(?:it|they)\s+(?:is|was|are|were|stands?|goes|comes?)\b/, "state the limit"],
  [
    /\b(?:says?|said|shows?|shown|knows?|known|told|came|comes?|became|becomes?|become|makes?|made)\s+of\s+(?!(?:bytes|characters|letters|digits|several|two)\b)(?:a|an|the|it|them|its|what|one|this|that)\b|\b(?:came|comes?|became|becomes?|become)\s+of\b/,
    "a plain verb",
  ],
  [
    /\b(?:stands?|stood)\s+(?:for|at|under|between|there|before|behind|in\s+(?:for|the|a|its|place))\b/,
    "is, means, or replaces",
  ],
  [/\bof\s+(?:its|their|his|her|one's)\s+own\b/, "own, or separate"],
  [/\bbesides?\b/i, "alongside, next to, or in addition to"],
  [/\b(?:once\s+more|anew)\b/, "again"],
  [/,\s+too\b/, "also"],
  [/\bso\s+(?:many|few|late|early|great)\b(?!\s+(?:that|as)\b)/, "N, or the given number of"],
];
/** Matches a comment, or a YAML member that people read. */
const YAML_PROSE =
  /^#\s*(?!yaml-language-server)(.*)|(?:^|[{ ])(?:about|title|statement|decision|question|means|why|hint|reason|summary|description): (.*)/;

/** A string with fewer words is not prose. */
const MIN_WORDS = 4;

process.chdir(fileURLToPath(new URL("..", import.meta.url)));
const paths = process.argv.length > 2 ? process.argv.slice(2) : CHECKED;
const files = execFileSync("git", ["ls-files", "-co", "--exclude-standard", ...paths], { encoding: "utf8" })
  .split("\n")
  .filter((file) => /\.(?:[cm]?[jt]s|md|ya?ml)$/.test(file) && file !== "scripts/prose.mjs");
let found = 0;
for (const file of files)
  for (const { line, text } of proseOf(file, readFileSync(file, "utf8")))
    for (const [phrase, advice] of PHRASES) {
      const hit = phrase.exec(text);
      if (hit === null) continue;
      found += 1;
      process.stdout.write(`${file}:${line}: "${hit[0].trim()}": write ${advice}\n  ${text}\n`);
    }
if (found > 0) process.stdout.write(`${found} phrases read badly\n`);
process.exitCode = found > 0 ? 1 : 0;

/** Returns the lines of a file that people read. */
function proseOf(file, source) {
  const texts = file.endsWith(".md")
    ? markdown(source)
    : /\.ya?ml$/.test(file)
      ? lines(source, 1).flatMap(({ line, text }) => {
          const [, comment, member] = YAML_PROSE.exec(text) ?? [];
          const prose = comment ?? member;
          return prose === undefined ? [] : { line, text: prose };
        })
      : code(source);
  return texts.filter(({ text }) => text !== "");
}

function lines(source, first) {
  return source.split("\n").map((text, index) => ({ line: first + index, text: text.trim() }));
}

/** Returns the lines outside of code blocks. */
function markdown(source) {
  let isCode = false;
  return lines(source, 1).filter(({ text }) => {
    if (text.startsWith("```")) isCode = !isCode;
    return !isCode;
  });
}

/** Returns the lines of comments, and strings with several words. */
function code(source) {
  const texts = [];
  let line = 1;
  for (const { type, value } of jsTokens(source)) {
    if (/Comment$/.test(type))
      texts.push(
        ...lines(value, line).map(({ line, text }) => ({
          line,
          text: text.replace(/^(?:\/\*\*?|\*\/?|\/\/)\s?/, ""),
        })),
      );
    else if (
      /^(?:StringLiteral|Template|NoSubstitutionTemplate)/.test(type) &&
      value.split(/\s+/).length >= MIN_WORDS
    )
      texts.push(...lines(value, line));
    line += value.split("\n").length - 1;
  }
  return texts;
}
