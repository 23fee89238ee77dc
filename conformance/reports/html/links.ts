import type { Result, ResultOutcome } from "../../engine/play/result.ts";
import type { RuleBook } from "../../engine/rule-book.ts";
import { plain } from "../../plain-text.ts";
import { type Html, html } from "./markup.ts";

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
