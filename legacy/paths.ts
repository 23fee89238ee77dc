import { existsSync, readFileSync } from "node:fs";
import { relative } from "node:path";
import { fileURLToPath } from "node:url";

/** The folder of the package: the programs that it ships lie one deeper than sources, and what a checkout builds, do. */
const above = new URL("../", import.meta.url);
const root = existsSync(new URL("package.json", above)) ? above : new URL("../", above);
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
  clientContract: path("vectors/contract/client"),
  clientSuiteSchema: path("vectors/contract/client-suite.schema.json"),
  clientSuites: path("vectors/client-suites"),
  clientOrder: path("vectors/contract/client/order.yaml"),
  reportSchema: path("vectors/contract/report.schema.json"),
  baselineSchema: path("vectors/contract/baseline.schema.json"),
  choicesSchema: path("vectors/contract/choices.schema.json"),
  configSchema: path("vectors/contract/config.schema.json"),
  golden: path("vectors/golden"),
  goldenFlows: path("vectors/golden-flows"),
  goldenSchema: path("vectors/contract/golden.schema.json"),
  goldenIndexSchema: path("vectors/contract/golden-index.schema.json"),
  reference: program("service"),
  goldenReference: program("golden-service"),
  exampleClient: isBuilt
    ? fileURLToPath(new URL("./example-client.js", import.meta.url))
    : path("legacy/examples/clients/typescript/client.ts"),
  referenceServer: program("serve"),
  referenceSources: path("reference"),
  bank: path("legacy/mutants"),
  examples: path("legacy/examples"),
} as const;

/** Whether the kit's own suites are files here; a package has them prepared. */
const hasSources = existsSync(PATHS.suites);

/** A path in the kit as people should see it: from where they stand, or, where it leads to no file, from the package. */
export function shownKitPath(path: string): string {
  const short = relative(hasSources ? process.cwd() : PATHS.root, path);
  return short === "" || short.startsWith("..") ? path : short;
}

/** The kit's version, from its package.json. */
export function kitVersion(): string {
  const { version } = JSON.parse(readFileSync(path("package.json"), "utf8")) as { version: string };
  return version;
}
