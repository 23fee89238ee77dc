import { createRequire } from "node:module";

const load = createRequire(import.meta.url);

/** The parser of YAML, loaded only where there is a text to parse: what is prepared beforehand needs none. */
export function yamlLibrary(): typeof import("js-yaml") {
  return load("js-yaml");
}
