import type { Failure } from "../../engine/play/result.ts";
import { type Content, type Html, html, NOTHING } from "./markup.ts";
import { folded, shown } from "./shown-text.ts";

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
  return html`<mark>${line}</mark> <span class="want">expected ${shown(expected, 400)}</span>`;
}

function unplacedHtml(differences: readonly Difference[]): Html {
  if (differences.length === 0) return NOTHING;
  const items = differences.map(
    ({ path, expected, got }) =>
      html`<li><code>${shown(path, 200)}</code>: <mark>${shown(got, 400)}</mark> <span class="want">expected ${shown(expected, 400)}</span></li>`,
  );
  return html`<ul class="differences">${items}</ul>`;
}
