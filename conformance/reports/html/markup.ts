import { raw, html as template } from "hono/html";

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
