import type { Result } from "../../engine/play/result.ts";
import { plain } from "../../plain-text.ts";
import { mark, ruleLinks } from "./links.ts";
import { type Html, html } from "./markup.ts";
import { shown } from "./shown-text.ts";

/** A test about which there is no more to tell than what it is. */
export function testRow({ id, title, outcome, rules, source }: Result, attributes: Html): Html {
  const where =
    source === undefined ? undefined : html`<code class="where">${plain(source.file)}:${source.line}</code>`;
  return html`<li class="test" ${attributes}>${mark(outcome)}<div><span class="id">${plain(id)}</span> <span class="title">${shown(title, 300)}</span><div class="about">${ruleLinks(rules)}${where}</div></div></li>\n`;
}
