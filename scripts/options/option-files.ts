/** Files that are made of the table of options: the schema of configuration files, and the inputs of the action. */
import { entriesWith, flagOf, namesWith } from "../../legacy/cli/options.ts";

/** The schema of configuration files, as text of its file. */
export function configSchema(): string {
  const dependent = namesWith("url").map((name) => [name, ["url"]]);
  const properties = entriesWith("target").map(([name, { inFiles = name, help, kind }]) => [
    inFiles,
    { description: help, ...kind.schema },
  ]);
  const target = {
    description: "One of module, command and url, and options of `run`.",
    type: "object",
    additionalProperties: false,
    dependentRequired: Object.fromEntries(dependent),
    properties: Object.fromEntries(properties),
  };
  const targets = {
    description:
      "Implementations by their names. `run NAME` judges one, `run` alone the only one or the one that is named default.",
    type: "object",
    minProperties: 1,
    propertyNames: { pattern: "^[A-Za-z0-9][A-Za-z0-9_.-]{0,63}$" },
    additionalProperties: { $ref: "#/$defs/target" },
  };
  const schema = {
    $schema: "https://json-schema.org/draft/2020-12/schema",
    $id: "config.schema.json",
    title: "Configuration",
    description:
      "What `run` judges where the command line names nothing: launch-draft.config.json, or what launch-draft.config.{ts,mts,js,mjs} exports by default. Paths count from the folder of the file.",
    type: "object",
    required: ["targets"],
    additionalProperties: false,
    properties: { $schema: { type: "string" }, targets },
    $defs: { target },
  };
  return `${JSON.stringify(schema, null, 2)}\n`;
}

const BEGIN = "  # Options of the kit, written by `npm run options`.\n";
const END = "  # End of the options.\n";

/** The action's file with the inputs that are options. @param text the file as it is */
export function actionText(text: string): string {
  const inputs = entriesWith("action").map(([name, { help, helpOf, value }]) => {
    const ofClient = helpOf?.client === undefined ? "" : `; of a client: ${helpOf.client}`;
    const description = help + ofClient + (value.endsWith("...>") ? "; one a line" : "");
    return `  ${flagOf(name).slice(2)}:\n    description: ${JSON.stringify(description)}\n`;
  });
  const [before, , after] = text.split(/( {2}# Options of the kit[\s\S]* {2}# End of the options\.\n)/);
  if (after === undefined) throw new Error("action.yml: the lines around its options are missing");
  return [before, BEGIN, ...inputs, END, after].join("");
}
