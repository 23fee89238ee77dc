import { checkSchema } from "../data/schema.ts";
import { readYaml } from "../data/yaml-source.ts";

/** The order in which vectors are played and their failures told. */
export interface VectorOrder {
  /** For every name of a suite, `suite/vector` or `suite/vector/case` its stage and its place among all names. */
  readonly places: ReadonlyMap<string, Place>;
  /** The stage before which no step can do what the verb, or the kind of step, says. */
  readonly stageOfVerb: ReadonlyMap<string, number>;
}

/** A stage, and a place among all names. */
export interface Place {
  readonly stage: number;
  readonly index: number;
}

/** Where what no stage names stands: after all that one names. */
export const LAST: Place = { stage: Number.MAX_SAFE_INTEGER, index: Number.MAX_SAFE_INTEGER };

/** Where a vector stands: by its own name, that of the vector it is a case of, or its suite's; {@link LAST} by none. */
export function placeOf(
  { id, suite }: { readonly id: string; readonly suite: string },
  { places }: Pick<VectorOrder, "places">,
): Place {
  const entry = id.split("/").slice(0, 2).join("/");
  return places.get(id) ?? places.get(entry) ?? places.get(suite) ?? LAST;
}

interface OrderFile {
  readonly stages: readonly { readonly verbs?: readonly string[]; readonly vectors: readonly string[] }[];
}

/**
 * Reads the stages in which a service is built.
 * @throws {DataError} for a file that breaks its schema, and for a name that two stages have
 */
export function loadOrder(path: string, schemaPath: string): VectorOrder {
  const source = readYaml(path);
  checkSchema(source, schemaPath);
  const places = new Map<string, Place>();
  const stageOfVerb = new Map<string, number>();
  const { stages } = source.value as OrderFile;
  for (const [stage, { verbs = [], vectors }] of stages.entries()) {
    for (const verb of verbs) stageOfVerb.set(verb, stage);
    for (const [position, name] of vectors.entries()) {
      if (places.has(name))
        throw source.error(["stages", stage, "vectors", position], `"${name}" stands in two stages`);
      places.set(name, { stage, index: places.size });
    }
  }
  return { places, stageOfVerb };
}
