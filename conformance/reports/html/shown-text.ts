import { plain } from "../../plain-text.ts";
import { type Html, html } from "./markup.ts";
import { count } from "./words.ts";

/** Characters of one value that a page keeps. */
export const MOST_SHOWN = 4096;
/** Longer values are folded, and so many characters of them stand outside the fold. */
const FOLD_FROM = 240;
const BEFORE_FOLD = 160;

/**
 * Text from an implementation under test, made harmless for a page: control characters and direction marks stand as
 * escapes, and letters that run from right to left cannot reorder what stands around them.
 */
export function shown(text: string, most: number = MOST_SHOWN): Html {
  const kept = cut(text, most);
  return html`<bdi>${plain(kept)}${kept.length < text.length ? "…" : undefined}</bdi>`;
}

/** {@link shown}, with what is long behind a fold, and what is longer still counted. */
export function folded(text: string): Html {
  if (text.length <= FOLD_FROM) return shown(text);
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
