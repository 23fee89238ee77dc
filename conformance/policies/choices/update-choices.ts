import { Document, isMap, isScalar, parseDocument, YAMLMap } from "yaml";
import { type Choice, NOT_SEEN } from "../../engine/run/choices.ts";
import type { SeenIn } from "./saved-choices.ts";

/**
 * The text of a file that holds an implementation to what a run saw. Points that nothing showed this time stay as they
 * were; comments stay with their point.
 * @param text the file so far; undefined where there is none
 * @param choices of every open point of the contract, in its order, which the file takes over
 * @param schema path or address of the schema, for editors
 */
export function updatedChoices(
  text: string | undefined,
  choices: readonly Choice[],
  run: SeenIn,
  schema: string,
): string {
  const document = text === undefined ? newDocument(schema) : parseDocument(text);
  const earlier = document.get("choices");
  const kept = isMap(earlier) ? earlier : new YAMLMap();
  // The comment above the first point is its own, though the map has it.
  const firstKey = kept.items[0]?.key;
  if (kept.commentBefore && isScalar(firstKey)) firstKey.commentBefore = kept.commentBefore;
  const pairOf = (point: string) => kept.items.find(({ key }) => String(key) === point);
  const updated = new YAMLMap();
  for (const { point, observed } of choices) {
    const pair = pairOf(point);
    if (observed === NOT_SEEN) {
      if (pair !== undefined) updated.items.push(pair);
    } else if (pair === undefined) updated.items.push(document.createPair(point, observed));
    else {
      kept.set(pair.key, observed);
      updated.items.push(pair);
    }
  }
  document.set("seen", document.createNode(run));
  document.set("choices", updated);
  return document.toString({ lineWidth: 120, flowCollectionPadding: false });
}

function newDocument(schema: string): Document {
  const document = new Document({});
  document.commentBefore = ` yaml-language-server: $schema=${schema}`;
  return document;
}
