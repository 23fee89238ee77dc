import type { YamlPath } from "../../../engine/data/yaml-places.ts";
import type { YamlSource } from "../../../engine/data/yaml-source.ts";
import { formatOutcome, type Outcome, parseOutcome } from "../../../engine/outcome.ts";
import { formatDuration, parseDuration } from "../../../engine/vectors/duration.ts";
import type { Template } from "../../../engine/vectors/vector.ts";
import { responseSchemas } from "../../judge/response-schemas.ts";
import { type OperationName, ROUTES } from "../../operations.ts";
import { BEARER_FORMS } from "./bearer-forms.ts";
import { checkTemplate, requireOneOf } from "./compile-texts.ts";
import { MESSAGE_LAYOUTS } from "./message-layouts.ts";
import { CAST, type Deeds, type Disturbance, type Person } from "./scenario.ts";
import { JSON_SPELLINGS } from "./spellings.ts";
import { TIMESTAMP_FORMS } from "./timestamp-forms.ts";
import { TRANSACTION_FORMS } from "./transaction-forms.ts";

interface Place {
  readonly source: YamlSource;
  readonly path: YamlPath;
}

type Entry = Readonly<Record<string, unknown>>;

const OPERATIONS = Object.keys(ROUTES);

/** A form of some part of an answer: its member in a vector, its names, and the operations whose answers have that part. */
const FORMS: Readonly<
  Record<
    string,
    { readonly names: readonly string[]; readonly on: readonly string[]; readonly words: string }
  >
> = {
  message: { names: Object.keys(MESSAGE_LAYOUTS), on: ["challenge"], words: "the message is laid out as" },
  timestamps: {
    names: Object.keys(TIMESTAMP_FORMS),
    on: ["challenge", "verify", "every"],
    words: "moments are written as",
  },
  bearer: { names: Object.keys(BEARER_FORMS), on: ["verify"], words: "the bearer is of the form" },
  transaction: { names: Object.keys(TRANSACTION_FORMS), on: ["build"], words: "the transaction is changed:" },
  spelling: {
    names: Object.keys(JSON_SPELLINGS),
    on: [...OPERATIONS, "every"],
    words: "the JSON is written as",
  },
};

/** All that an entry may say. */
const MEMBERS: readonly string[] = [
  ...["on", "nth", "for", "optional", "refuse", "status", "effect", "lose", "delay", "pass", "restart"],
  ...["add", "set", "headers", ...Object.keys(FORMS)],
];

/**
 * Compiles an entry of a vector's `service`.
 * @throws {DataError} with its place, for an unknown operation, person, code, form or name, and for what does nothing
 */
export function compileDisturbance(entry: Entry, place: Place): Disturbance {
  const { source, path } = place;
  const at = (member: string): Place => ({ source, path: [...path, member] });
  // An entry that stands in a case is not seen by the suite's schema.
  for (const member of Object.keys(entry)) requireOneOf(member, MEMBERS, "key", at(member));
  const on = String(entry["on"]);
  requireOneOf(on, [...OPERATIONS, "every"], "operation", at("on"));
  const by = entry["for"] as Person | undefined;
  if (by !== undefined) requireOneOf(by, CAST, "person", at("for"));
  const [does, words] = compileDeeds(entry, on as OperationName | "every", at);
  if (words.length === 0) throw source.error(path, "this entry changes nothing: say what the service does");
  return {
    line: source.keyPosition(path).line,
    on: on as Disturbance["on"],
    ...compileCount(entry["nth"], at("nth")),
    ...(by === undefined ? {} : { by }),
    optional: entry["optional"] === true,
    words: words.join(", "),
    does,
  };
}

/** `1`, `2..`, `1..3`, `each`. */
function compileCount(nth: unknown, { source, path }: Place): Pick<Disturbance, "from" | "to"> {
  if (nth === undefined || nth === "each") return { from: 1 };
  const [, first, dots, last] = /^(\d+)(\.\.)?(\d+)?$/.exec(String(nth)) ?? [];
  const from = Number(first);
  const to = dots === undefined ? from : last === undefined ? undefined : Number(last);
  if (!(from >= 1) || (to !== undefined && to < from))
    throw source.error(path, `"${nth}" counts nothing: write 1, 2.., 1..3 or each`);
  return { from, ...(to === undefined ? {} : { to }) };
}

function compileDeeds(
  entry: Entry,
  on: OperationName | "every",
  at: (member: string) => Place,
): readonly [Deeds, readonly string[]] {
  const words: string[] = [];
  const does: Record<string, unknown> = {};
  const fail = (member: string, message: string) => at(member).source.error(at(member).path, message);
  const duration = (member: string) => {
    const ms = parseDuration(String(entry[member]));
    if (ms === undefined) throw fail(member, `"${entry[member]}" is no duration: write 30s, 500ms or 1h`);
    return ms;
  };
  if (entry["refuse"] !== undefined) {
    const refuse = compileRefusal(String(entry["refuse"]), on, at("refuse"));
    does["refuse"] = refuse;
    words.push(`refused with ${formatOutcome(refuse)}`);
  }
  if (entry["status"] !== undefined) {
    does["status"] = entry["status"];
    does["effect"] = entry["effect"] === true;
    words.push(`answered ${entry["status"]}${entry["effect"] === true ? " after it took effect" : ""}`);
  } else if (entry["effect"] !== undefined) throw fail("effect", "effect goes with status");
  if (entry["lose"] !== undefined) {
    const lose = String(entry["lose"]);
    requireOneOf(lose, ["request", "answer"], "loss", at("lose"));
    does["lose"] = lose;
    words.push(`its ${lose} is lost`);
  }
  if (entry["delay"] !== undefined) {
    does["delayMs"] = duration("delay");
    words.push(`answered after ${entry["delay"]}`);
  }
  if (entry["pass"] !== undefined) {
    does["passMs"] = duration("pass");
    words.push(`${formatDuration(duration("pass"))} pass before its answer`);
  }
  if (entry["restart"] === true) {
    does["restart"] = true;
    words.push("the service was restarted before it");
  }
  for (const [member, { names, on: answered, words: said }] of Object.entries(FORMS)) {
    if (entry[member] === undefined) continue;
    const name = String(entry[member]);
    requireOneOf(name, names, member, at(member));
    if (!answered.includes(on)) throw fail(member, `answers of ${on} have no ${member}`);
    does[member] = name;
    words.push(`${said} ${name}`);
  }
  for (const member of ["add", "set"]) {
    if (entry[member] === undefined) continue;
    checkTemplate(entry[member] as Template, at(member));
    if (member === "set") checkPaths(entry[member] as Entry, on, at(member));
    does[member] = entry[member];
    words.push(
      `${member === "add" ? "with" : "with a changed"} ${Object.keys(entry[member] as Entry).join(", ")}`,
    );
  }
  if (entry["headers"] !== undefined) {
    does["headers"] = entry["headers"];
    words.push(`with the headers ${Object.keys(entry["headers"] as Entry).join(", ")}`);
  }
  return [does as Deeds, words];
}

/** A refusal that the contract has for the operation: statuses by endpoint, codes by status (contract, "Errors"). */
function compileRefusal(text: string, on: OperationName | "every", { source, path }: Place): Outcome {
  const outcome = parseOutcome(text);
  if (typeof outcome === "string") throw source.error(path, outcome);
  const [code, ...more] = outcome.codes;
  if (code === undefined || more.length > 0)
    throw source.error(path, "a refusal has one status and one code");
  if (on === "every") throw source.error(path, "name the operation that is refused");
  const statuses = responseSchemas().statuses(on) ?? new Set();
  if (!statuses.has(outcome.status))
    throw source.error(path, `${on} is never answered ${outcome.status}, only ${[...statuses].join(", ")}`);
  const codes = [...(responseSchemas().codes(outcome.status) ?? [])];
  requireOneOf(code, codes, `code of ${outcome.status}`, { source, path });
  return outcome;
}

/** What is changed has to be there: its first name is a member of the answer. */
function checkPaths(changed: Entry, on: OperationName | "every", { source, path }: Place): void {
  if (on === "every") throw source.error(path, "name the operation whose answer is changed");
  const known = [...responseSchemas().fields(on)];
  for (const name of Object.keys(changed))
    requireOneOf(name.split(".")[0] ?? "", known, `member of an answer of ${on}`, {
      source,
      path: [...path, name],
    });
}
