import type { Output } from "../cli/output.ts";

/** An output that keeps what is written to it. */
export function keptOutput(): Output & { readonly texts: string[] } {
  const texts: string[] = [];
  return { texts, out: (text) => texts.push(text), err: () => {}, color: false, width: 110, live: false };
}
