/** Files that are made of the table of options: the schema of configuration files, and the inputs of the action. */
import { ENTRIES } from "../../conformance/cli/options.ts";

/** The schema of configuration files, as text of its file. */
export function configSchema(): string {
  const ofTargets = ENTRIES.flatMap(([name, entry]) =>
    entry.target === undefined ? [] : [{ name, entry, called: entry.target === true ? name : entry.target }],
  );
  const dependent = ofTargets.flatMap(({ called, entry: { needs } }) =>
    needs === undefined ? [] : [[called, [needs]]],
  );
  const properties = ofTargets.map(({ called, entry: { help, kind } }) => [
    called,
    { description: help, ...kind.schema },
  ]);
  const target = {
    description: "One of module, command, attach and url, and options of `run`.",
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
  const inputs = ENTRIES.flatMap(([, { flag, action }]) => {
    const name = /^--([a-z-]+)/.exec(flag)?.[1];
    return action === undefined ? [] : [`  ${name}:\n    description: ${JSON.stringify(action)}\n`];
  });
  const [before, , after] = text.split(/( {2}# Options of the kit[\s\S]* {2}# End of the options\.\n)/);
  if (after === undefined) throw new Error("action.yml: the lines around its options are missing");
  return [before, BEGIN, ...inputs, END, after].join("");
}
