import { join } from "node:path";
import { kitText } from "../engine/data/packed-files.ts";
import { formatOutcome } from "../engine/outcome.ts";
import type { OpenPoint, RuleBook } from "../engine/rule-book.ts";
import { columns } from "../reports/columns.ts";

/** One thing that is told, after its name. */
export function said(name: string, text: string): string {
  return `  ${name.padEnd("properties".length)}  ${text}`;
}

/** What each rule says. */
export function statements(name: string, ids: readonly string[], contract: RuleBook): readonly string[] {
  const rows = ids.map((id) => [id, contract.rules.get(id)?.statement ?? ""]);
  return columns(rows).map((line) => said(name, line));
}

/** One line for each, its title in a column. */
export function titles(items: readonly { readonly id: string; readonly title: string }[]): readonly string[] {
  return columns(
    items.map(({ id, title }) => [id, title]),
    4,
  );
}

/** The readings that an open point has. */
export function readings({ readings }: OpenPoint): readonly string[] {
  return titles(
    readings.map(({ id, means, outcome }) => {
      const parts = [outcome === undefined ? "" : formatOutcome(outcome), means ?? ""];
      return { id, title: parts.filter((part) => part !== "").join(": ") };
    }),
  );
}

/** A vector as it stands in its file: from its own line to the next vector's. @param folder of the suites */
export function sourceOf(id: string, folder: string, fileName: string): string {
  const text = kitText(join(folder, fileName)).split("\n");
  const name = id.split("/")[1] ?? "";
  const first = text.findIndex((line) => new RegExp(`^\\s*-\\s+id:\\s+${name}\\s*$`).test(line));
  const next = text.findIndex((line, index) => index > first && /^ {2}- id:/.test(line));
  return text
    .slice(first, next === -1 ? undefined : next)
    .join("\n")
    .trimEnd();
}

/** Lines as a text. */
export function lines(parts: readonly string[]): string {
  return `${parts.join("\n")}\n`;
}
