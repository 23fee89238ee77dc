import { columns } from "./columns.ts";

/** Columns of text under headings, without rules. */
export function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  return columns([head, ...rows], 2, 3).join("\n");
}
