/** Requests, responses and their order in time, as parts of a page. */

import type { Failure, TraceEntry } from "../../engine/play/result.ts";
import { formatClock } from "../../engine/vectors/duration.ts";
import { type Content, folded, type Html, html, NOTHING, shownText } from "./markup.ts";

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
  return html`<span class="method">${shownText(String(method ?? ""), 40)} ${shownText(String(path ?? ""), 200)}</span>`;
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

type Difference = Failure["differences"][number];
/** What was expected at each place of an answer that differs. */
type Marks = ReadonlyMap<string, string>;

/** A body with a longer text than this is shown as cut text rather than member by member. */
const MOST_AS_TREE = 16_384;

/** An answer, one member a line, with every place that differs marked and what was expected there beside it. */
export function answerHtml(response: unknown, told: readonly Difference[]): Html {
  const envelope = envelopeOf(response);
  const { status, body, cut } = envelope;
  const differences = told.map((difference) => ({ ...difference, path: placeOf(difference, envelope) }));
  const marks = new Map<string, string>();
  for (const { path, expected } of differences) {
    const earlier = marks.get(path);
    marks.set(path, earlier === undefined || earlier === expected ? expected : `${earlier}; ${expected}`);
  }
  const text = cut ?? JSON.stringify(body) ?? "";
  const asTree = cut === undefined && text.length <= MOST_AS_TREE;
  const unplaced = differences.filter(
    ({ path }) => !(path === "status" && status !== undefined) && !(asTree && has(body, path)),
  );
  return html`<pre class="json" tabindex="0">${
    status === undefined ? undefined : html`${marked("status", folded(status), marks)}\n`
  }${asTree ? valueHtml(body, "", marks, "") : folded(text)}</pre>${unplacedHtml(unplaced)}`;
}

interface Envelope {
  readonly status?: string;
  readonly body?: unknown;
  readonly cut?: string;
}

/** The parts of an answer as reports keep it; whatever else came stands for the body. */
function envelopeOf(response: unknown): Envelope {
  if (typeof response !== "object" || response === null || !("status" in response)) return { body: response };
  const { status, body, cut } = response as { status: unknown; body?: unknown; cut?: unknown };
  const text = typeof status === "string" ? status : (JSON.stringify(status) ?? "");
  return { status: text, body, ...(typeof cut === "string" ? { cut } : {}) };
}

/** Where a difference stands: a right status with a wrong code differs in its code. */
function placeOf({ path, expected }: Difference, { status, body }: Envelope): string {
  const rightStatus = status !== undefined && expected.split(/[^0-9]+/).includes(status);
  return path === "status" && rightStatus && has(body, "code") ? "code" : path;
}

function has(body: unknown, path: string): boolean {
  let inner = body;
  for (const key of path.split(".")) {
    if (typeof inner !== "object" || inner === null || !Object.hasOwn(inner, key)) return false;
    inner = (inner as Record<string, unknown>)[key];
  }
  return true;
}

function valueHtml(value: unknown, path: string, marks: Marks, indent: string): Html {
  if (typeof value !== "object" || value === null) {
    return typeof value === "string" ? textHtml(value) : html`${JSON.stringify(value) ?? "nothing"}`;
  }
  const list = Array.isArray(value);
  const members = Object.entries(value);
  if (members.length === 0) return html`${list ? "[]" : "{}"}`;
  const inner = `${indent}  `;
  const lines = members.map(([key, member], index): Content => {
    const place = path === "" ? key : `${path}.${key}`;
    const name = list ? undefined : html`<span class="key">${textHtml(key)}</span>: `;
    const line = html`${name}${valueHtml(member, place, marks, inner)}${index < members.length - 1 ? "," : undefined}`;
    return html`${inner}${marked(place, line, marks)}\n`;
  });
  return html`${list ? "[" : "{"}\n${lines}${indent}${list ? "]" : "}"}`;
}

/** A string as JSON writes it: what is escaped there stands escaped here. */
function textHtml(text: string): Html {
  return html`"${folded(JSON.stringify(text).slice(1, -1))}"`;
}

function marked(path: string, line: Html, marks: Marks): Html {
  const expected = marks.get(path);
  if (expected === undefined) return line;
  return html`<mark>${line}</mark> <span class="want">expected ${shownText(expected, 400)}</span>`;
}

function unplacedHtml(differences: readonly Difference[]): Html {
  if (differences.length === 0) return NOTHING;
  const items = differences.map(
    ({ path, expected, got }) =>
      html`<li><code>${shownText(path, 200)}</code>: <mark>${shownText(got, 400)}</mark> <span class="want">expected ${shownText(expected, 400)}</span></li>`,
  );
  return html`<ul class="differences">${items}</ul>`;
}

/**
 * The exchanges of a test in their order, on the service's clock, with the time that passes between them.
 * @param failing steps at which something failed: they are pointed out, and their content stands elsewhere
 */
export function timelineHtml(trace: readonly TraceEntry[], failing: ReadonlySet<string>): Html {
  if (trace.length === 0) return NOTHING;
  let clockMs = trace[0]?.clockMs ?? 0;
  const last = new Map(trace.map((entry) => [entry.step, entry]));
  const entries = trace.map((entry) => {
    const passed = entry.clockMs - clockMs;
    clockMs = entry.clockMs;
    // What overlaps may be told in another order than it began.
    const wait =
      passed <= 0 ? NOTHING : html`<li class="wait"><span>${formatClock(passed).slice(1)} pass</span></li>`;
    return html`${wait}${entryHtml(entry, failing.has(entry.step) && last.get(entry.step) === entry)}`;
  });
  return html`<h3>Step by step, on the service’s clock</h3><ol class="timeline">${entries}</ol>`;
}

function entryHtml({ step, clockMs, request, response }: TraceEntry, failed: boolean): Html {
  const line = html`<span class="clock">${formatClock(clockMs)}</span> <span class="step">step ${shownText(step, 40)}</span> <span class="call">${headline(request)} <span class="answered">→ ${statusOf(response)}</span></span>`;
  if (failed) return html`<li class="here">${line} <strong>failed here</strong></li>`;
  return html`<li><details><summary>${line}</summary><div class="exchange">${requestHtml(request)}${answerHtml(response, [])}</div></details></li>`;
}

function statusOf(response: unknown): Html {
  const { status, ended, body } = (typeof response === "object" && response !== null ? response : {}) as {
    status?: unknown;
    ended?: unknown;
    body?: { code?: unknown } | null;
  };
  const code = typeof body?.code === "string" ? ` ${body.code}` : "";
  return shownText(`${typeof status === "number" ? status : (ended ?? "no status")}${code}`, 80);
}
