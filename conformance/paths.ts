import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";

/** The folder of the package: sources and built programs lie equally deep in it. */
const root = new URL("../", import.meta.url);
const isBuilt = !new URL(import.meta.url).pathname.endsWith(".ts");
const path = (name: string) => fileURLToPath(new URL(name, root));
/** A program of the reference, as it is imported: its source, or what the build has made of it. */
const program = (name: string) =>
  isBuilt ? fileURLToPath(new URL(`./reference-${name}.js`, import.meta.url)) : path(`reference/${name}.ts`);

/** Where the kit finds its data and the bundled reference, whatever the working directory. */
export const PATHS = {
  root: path("."),
  contract: path("vectors/contract"),
  openapi: path("vectors/contract/openapi.yaml"),
  suiteSchema: path("vectors/contract/suite.schema.json"),
  suites: path("vectors/suites"),
  order: path("vectors/contract/order.yaml"),
  orderSchema: path("vectors/contract/order.schema.json"),
  reportSchema: path("vectors/contract/report.schema.json"),
  baselineSchema: path("vectors/contract/baseline.schema.json"),
  choicesSchema: path("vectors/contract/choices.schema.json"),
  configSchema: path("vectors/contract/config.schema.json"),
  releaseSchema: path("vectors/contract/release.schema.json"),
  releases: path("vectors/releases"),
  golden: path("vectors/golden"),
  goldenFlows: path("vectors/golden-flows"),
  goldenSchema: path("vectors/contract/golden.schema.json"),
  goldenIndexSchema: path("vectors/contract/golden-index.schema.json"),
  reference: program("service"),
  goldenReference: program("golden-service"),
  referenceServer: program("serve"),
  referenceSources: path("reference"),
  bank: path("conformance/mutants"),
  examples: path("conformance/examples"),
} as const;

/** The kit's version, from its package.json. */
export function kitVersion(): string {
  const { version } = JSON.parse(readFileSync(path("package.json"), "utf8")) as { version: string };
  return version;
}
