import type { ContractWords } from "./contract-words.ts";

/** A word of the contract in a text. */
export interface FoundWord {
  readonly word: string;
  /** The name or kebab-case word that holds it. */
  readonly token: string;
  readonly line: number;
}

/** Names and kebab-case words, as they stand in code, strings and comments. */
const TOKEN = /[A-Za-z0-9]+(?:[_:$-][A-Za-z0-9]+)*/g;

/** Finds the words of the contract in texts: names in whole parts of a token (`expiresAt` in `firstExpiresAt`). */
export function wordFinder({
  names,
  ids,
  paths,
  numbers,
}: ContractWords): (text: string) => readonly FoundWord[] {
  const sought = [...names].map((word) => ({ word, parts: partsOf(word) }));
  const known = new Map<string, readonly string[]>();
  const wordsIn = (token: string): readonly string[] => {
    const parts = partsOf(token);
    const number = Number(token.replaceAll("_", ""));
    return [
      ...sought.filter((one) => parts.includes(one.parts)).map(({ word }) => word),
      ...(ids.has(token) ? [token] : []),
      ...(numbers.has(number) ? [String(number)] : []),
    ];
  };
  return (text) =>
    text.split("\n").flatMap((content, index) => {
      const routes = [...paths].filter((path) => content.includes(path));
      const tokens = [...new Set(content.match(TOKEN))].flatMap((token) => {
        const words = known.get(token) ?? wordsIn(token);
        known.set(token, words);
        return words.map((word) => ({ word, token }));
      });
      return [...routes.map((path) => ({ word: path, token: path })), ...tokens].map((found) => ({
        ...found,
        line: index + 1,
      }));
    });
}

/** The parts of a name, whatever its case, none of them in the plural: ` expire at `. */
function partsOf(name: string): string {
  const parts = name
    .replace(/([a-z0-9])([A-Z])/g, "$1 $2")
    .replace(/([A-Z])([A-Z][a-z])/g, "$1 $2")
    .split(/[^A-Za-z0-9]+/)
    .map((part) => part.toLowerCase().replace(/(?<=..)s$/, ""));
  return ` ${parts.join(" ")} `;
}
