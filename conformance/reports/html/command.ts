import { plain } from "../../plain-text.ts";
import { type Html, html } from "./markup.ts";

/** A command to copy. */
export function commandHtml(command: string): Html {
  return html`<div class="command"><code tabindex="0">${plain(command)}</code><button type="button" data-copy hidden>Copy</button></div>`;
}
