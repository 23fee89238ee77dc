/**
 * Source maps that tell lines of the project's own sources, and no more: an eighth of the size of those that tell every
 * word. What belongs to other packages is in no map.
 */
import { decode, encode } from "@jridgewell/sourcemap-codec";

const FOREIGN = /(?:^|\/)node_modules\//;

/** A map with the beginning of each line of an own source, and none of the names. */
export function thinMap({ version, sources, mappings }) {
  const own = sources.filter((source) => !FOREIGN.test(source));
  const places = sources.map((source) => own.indexOf(source));
  let [source, line] = [];
  const thin = decode(mappings).map((segments) => {
    const kept = [];
    for (const [column, of, from] of segments) {
      if (of === undefined || places[of] === -1) {
        // What is nobody's ends what came before it.
        if (kept.at(-1)?.length > 1) kept.push([column]);
        continue;
      }
      if (kept.at(-1)?.length > 1 && of === source && from === line) continue;
      [source, line] = [of, from];
      kept.push([column, places[of], line, 0]);
    }
    return kept;
  });
  return { version, sources: own, names: [], mappings: own.length === 0 ? "" : encode(thin) };
}
