import { styleText } from "node:util";

/** The styles of the console's texts. */
const STYLES = ["red", "green", "yellow", "dim", "bold"] as const;

/** By name, what puts a text into that style. */
export type Colours = Readonly<Record<(typeof STYLES)[number], (text: string) => string>>;

/** Styles for a terminal that shows them, or ones that leave every text as it is: whether it does is for the edge to know. */
export function coloursOf(shown: boolean): Colours {
  const styled = (style: (typeof STYLES)[number]) => (text: string) =>
    shown ? styleText(style, text, { validateStream: false }) : text;
  return Object.fromEntries(STYLES.map((style) => [style, styled(style)])) as unknown as Colours;
}
