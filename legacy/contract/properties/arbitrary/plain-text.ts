import type fc from "fast-check";
import { mentions } from "../../../engine/vectors/template.ts";

/** Only texts that a vector takes as they are: none that its templates would fill in. */
export function plain(texts: fc.Arbitrary<string>): fc.Arbitrary<string> {
  return texts.filter((text) => mentions(text).length === 0);
}
