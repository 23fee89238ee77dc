import { raw, html as template } from "hono/html";
import type { Result, ResultOutcome } from "../../engine/play/result.ts";
import type { RuleBook } from "../../engine/rule-book.ts";
import { plain } from "../../plain-text.ts";
import { count } from "../words.ts";

/** Markup that is safe to stand in a page: made by {@link html}, or a constant of the kit. */
export type Html = ReturnType<typeof raw>;

/** What a template takes: markup as it is, text and numbers escaped, nothing for undefined. */
export type Content = Html | string | number | undefined | readonly Content[];

/** Fills a template; everything that is not markup already is escaped. */
export function html(strings: TemplateStringsArray, ...values: readonly Content[]): Html {
  // A promise comes of a promise among the values alone, and Content has none.
  return template(strings, ...values) as Html;
}

/** A text of the kit itself as markup: never for what an implementation or a user gave. */
export function trusted(markup: string): Html {
  return raw(markup);
}

/** Nothing, where a part of a page has nothing to say. */
export const NOTHING = html``;

/** Characters of one value that a page keeps. */
export const MOST_SHOWN = 4096;
/** Longer values are folded, and so many characters of them stand outside the fold. */
const FOLD_FROM = 240;
const BEFORE_FOLD = 160;

/**
 * Text from an implementation under test, made harmless for a page: control characters and direction marks stand as
 * escapes, and letters that run from right to left cannot reorder what stands around them.
 */
export function shownText(text: string, most: number = MOST_SHOWN): Html {
  const kept = cut(text, most);
  return html`<bdi>${plain(kept)}${kept.length < text.length ? "…" : undefined}</bdi>`;
}

/** {@link shownText}, with what is long behind a fold, and what is longer still counted. */
export function folded(text: string): Html {
  if (text.length <= FOLD_FROM) return shownText(text);
  const first = cut(text, BEFORE_FOLD);
  const kept = cut(text, MOST_SHOWN);
  const lost =
    kept.length === text.length
      ? undefined
      : html` <span class="note">cut here: ${count(text.length)} characters in all</span>`;
  const more = count(text.length - first.length);
  return html`<bdi>${plain(first)}</bdi><details class="fold"><summary>… ${more} characters more</summary><bdi>${plain(kept.slice(first.length))}</bdi>${lost}</details>`;
}

/** So much of a text, never half a surrogate pair at its end. */
function cut(text: string, most: number): string {
  if (text.length <= most) return text;
  const last = text.charCodeAt(most - 1);
  return text.slice(0, last >= 0xd800 && last <= 0xdbff ? most - 1 : most);
}

/** A rule's id, which leads to the rule. */
export function ruleLink(id: string): Html {
  return html`<a class="id rule-id" href="#${fragment(id)}">${plain(id)}</a>`;
}

/** Several rules, a space between. */
export function ruleLinks(ids: readonly string[]): readonly Html[] {
  return ids.map((id) => html`${ruleLink(id)} `);
}

/** A test's id, which leads to the test. */
export function testLink(id: string): Html {
  return html`<a class="id" href="#${fragment(id)}">${plain(id)}</a>`;
}

/** An id as the part of an address after `#`. */
function fragment(id: string): string {
  return encodeURI(plain(id)).replaceAll("#", "%23");
}

/** The areas that rules belong to, each once, as the filter reads them. */
export function areasOf(rules: readonly string[], contract: RuleBook): string {
  return [...new Set(rules.flatMap((id) => contract.rules.get(id)?.area ?? []))].join(" ");
}

/** An outcome as a sign with a name: never by colour alone. */
export function mark(outcome: ResultOutcome | "untried" | "unobservable" | "advised"): Html {
  return html`<span class="mark ${outcome}" role="img" aria-label="${outcome}"></span>`;
}

/** What the filter reads off a test. */
export function testAttributes({ id, outcome, rules }: Result, contract: RuleBook): Html {
  return html`id="${plain(id)}" data-outcome="${outcome}" data-area="${areasOf(rules, contract)}"`;
}

/** A command to copy. */
export function commandHtml(command: string): Html {
  return html`<div class="command"><code tabindex="0">${plain(command)}</code><button type="button" data-copy hidden>Copy</button></div>`;
}

/** A test about which there is no more to tell than what it is. */
export function testRow({ id, title, outcome, rules, source }: Result, attributes: Html): Html {
  const where =
    source === undefined ? undefined : html`<code class="where">${plain(source.file)}:${source.line}</code>`;
  return html`<li class="test" ${attributes}>${mark(outcome)}<div><span class="id">${plain(id)}</span> <span class="title">${shownText(title, 300)}</span><div class="about">${ruleLinks(rules)}${where}</div></div></li>\n`;
}
