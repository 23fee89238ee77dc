import Table from "cli-table3";

const NO_LINES = {
  top: "",
  "top-mid": "",
  "top-left": "",
  "top-right": "",
  bottom: "",
  "bottom-mid": "",
  "bottom-left": "",
  "bottom-right": "",
  left: "",
  "left-mid": "",
  mid: "",
  "mid-mid": "",
  right: "",
  "right-mid": "",
  middle: " ",
};

/** Columns of text under headings, without rules; two spaces in. */
export function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const drawn = new Table({
    chars: NO_LINES,
    head: [...head],
    style: { head: [], border: [], "padding-left": 0, "padding-right": 2 },
  });
  drawn.push(...rows.map((row) => [...row]));
  return drawn
    .toString()
    .split("\n")
    .map((line) => `  ${line.trimEnd()}`)
    .join("\n");
}
