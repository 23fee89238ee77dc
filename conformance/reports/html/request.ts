import { type Html, html } from "./markup.ts";
import { folded, shown } from "./shown-text.ts";

interface ShownRequest {
  readonly method?: unknown;
  readonly path?: unknown;
  readonly body?: unknown;
  readonly bodyBase64?: unknown;
  readonly bearer?: unknown;
  readonly idempotencyKey?: unknown;
}

/** A request in its parts; a JSON body over lines where that loses nothing of it. */
export function requestHtml(request: unknown): Html {
  const { body, bodyBase64, bearer, idempotencyKey } = partsOf(request);
  const lines = [
    headline(request),
    ...(bearer === undefined ? [] : [html`<span class="key">bearer</span> ${folded(String(bearer))}`]),
    ...(idempotencyKey === undefined
      ? []
      : [html`<span class="key">idempotency key</span> ${folded(JSON.stringify(idempotencyKey) ?? "")}`]),
    ...(bodyBase64 === undefined
      ? []
      : [html`<span class="key">body, base64</span> ${folded(String(bodyBase64))}`]),
    ...(typeof body === "string" ? bodyLines(body) : []),
  ];
  return html`<pre class="json" tabindex="0">${lines.map((line) => html`${line}\n`)}</pre>`;
}

/** Method and path. */
export function headline(request: unknown): Html {
  const { method, path } = partsOf(request);
  return html`<span class="method">${shown(String(method ?? ""), 40)} ${shown(String(path ?? ""), 200)}</span>`;
}

function partsOf(request: unknown): ShownRequest {
  return typeof request === "object" && request !== null ? request : {};
}

function bodyLines(body: string): readonly Html[] {
  const lines = spread(body)?.split("\n") ?? [body];
  return lines.map((line) => {
    const indent = /^ */.exec(line)?.[0] ?? "";
    return html`${indent}${folded(line.slice(indent.length))}`;
  });
}

/** A body over lines; undefined where it is no JSON, or where its own spacing, order or escapes would be lost. */
function spread(body: string): string | undefined {
  if (body.length > 16_384) return undefined;
  try {
    const value: unknown = JSON.parse(body);
    return JSON.stringify(value) === body ? JSON.stringify(value, null, 2) : undefined;
  } catch {
    return undefined;
  }
}
