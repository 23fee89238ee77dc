import { Ajv2020 } from "ajv/dist/2020.js";
import type { Capabilities, Facts, ImplementationInfo } from "./adapter.ts";
import { factsSchema, implementationInfoSchema, schemaOptions } from "./implementation-info.schema.ts";

/** The info with everything optional still optional: what {@link implementationInfoSchema} admits. */
interface Stated {
  readonly implementation: ImplementationInfo["implementation"];
  readonly capabilities?: Partial<Capabilities>;
  readonly facts: Partial<Facts> & Pick<Facts, "metadataHosts">;
}

// Where programs are bundled, the compiled code of both stands in the place of this file.
const ajv = new Ajv2020(schemaOptions);

/** Whether a value is what an implementation may say of itself. */
export const isStated = ajv.compile<Stated>(implementationInfoSchema);

/** Whether a value is facts, which need not be complete. */
export const isFacts = ajv.compile(factsSchema);
