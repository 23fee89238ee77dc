import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { isObject } from "../adapters/json.ts";
import { escapeLine, shellLine } from "../adapters/text.ts";
import { DataError } from "../contract/data-file.ts";
import { readVersion } from "../contract/openapi.ts";
import { type Edge, writeFile } from "./edge.ts";
import { type Invocation, type Language, UsageError } from "./options.ts";

interface Skeleton {
  /** Name of the source file. */
  readonly file: string;
  /** Options of `run` that name the service, in its folder. */
  readonly target: string;
}

/** The services to start with. Their files are in `skeletons/`. */
export const SKELETONS: Readonly<Record<Language, Skeleton>> = {
  typescript: { file: "service.ts", target: "--module service.ts" },
  python: { file: "service.py", target: '--command "python3 service.py"' },
  go: { file: "service.go", target: '--command "go run service.go"' },
  java: { file: "Service.java", target: '--command "java Service.java"' },
};

const FOLDER = join(import.meta.dirname, "skeletons");
const BASELINE = "known-failures.yaml";
const SCRIPT = "conformance.sh";
const WORKFLOW = ".github/workflows/conformance.yml";

/**
 * Writes a service to start with, a way to test it, a CI workflow, and an empty baseline. Writes nothing if one
 * of the files exists. A `package.json` that exists gets a script.
 * @returns exit status: 0
 * @throws {UsageError} if one of the files exists
 * @throws {DataError} if the folder cannot be written
 */
export function initCommand({ operands: [folder = "."], options }: Invocation, edge: Edge): number {
  const { language = "typescript" } = options;
  const { file } = SKELETONS[language];
  const isNode = language === "typescript";
  const files = new Map([
    [file, readFileSync(join(FOLDER, language, file), "utf8")],
    isNode ? ["package.json", packageText(folder)] : [SCRIPT, scriptText(language)],
    [BASELINE, BASELINE_TEXT],
    [WORKFLOW, workflowText(language)],
  ]);
  const isExtended = (name: string) => name === "package.json" && existsSync(join(folder, name));
  const taken = [...files.keys()].filter((name) => existsSync(join(folder, name)) && !isExtended(name));
  if (taken.length > 0)
    throw new UsageError(`${taken.join(", ")} exists in ${folder}; choose another folder: init <folder>`);
  const written = [...files.keys()].map((name) => (isExtended(name) ? `${name} (script added)` : name));
  for (const [name, text] of files) writeFile(join(folder, name), text);
  const start = isNode ? "npm install && npm run conformance" : `sh ${SCRIPT}`;
  const lines = [
    `Wrote to ${folder}: ${written.join(", ")}`,
    `1. Test:       ${folder === "." ? "" : `cd ${shellLine([folder])} && `}${start}`,
    `2. Implement:  edit ${file} until the first failure is gone, and test again.`,
    `3. Adopt:      list failures that you accept in ${BASELINE}, each with a reason.`,
    `4. Automate:   commit ${WORKFLOW}, which tests every push.`,
  ];
  edge.write(lines.map((line) => `${escapeLine(line)}\n`).join(""));
  return 0;
}

/** Returns the `package.json` of a folder with a script that tests the service, and with the kit. */
function packageText(folder: string): string {
  const path = join(folder, "package.json");
  const initial = { name: "my-service", version: "0.0.0", private: true, type: "module" };
  const given: Package = existsSync(path) ? readPackage(path) : initial;
  const { scripts = {}, devDependencies = {}, dependencies = {} } = given;
  const name = "launch-draft-conformance";
  const hasKit = name in devDependencies || name in dependencies;
  const merged = {
    ...given,
    scripts: { ...scripts, conformance: `${name} run ${SKELETONS.typescript.target} --baseline ${BASELINE}` },
    ...(!hasKit && { devDependencies: { ...devDependencies, [name]: `^${readVersion()}` } }),
  };
  return `${JSON.stringify(merged, null, 2)}\n`;
}

/** The members of a `package.json` that change. */
interface Package {
  readonly scripts?: object;
  readonly devDependencies?: object;
  readonly dependencies?: object;
  readonly [name: string]: unknown;
}

function readPackage(path: string): Package {
  try {
    const value: unknown = JSON.parse(readFileSync(path, "utf8"));
    if (isObject(value)) return value;
  } catch {
    // The error below says what to do.
  }
  throw new DataError(`${path}: is not a JSON object; correct it, or choose another folder: init <folder>`);
}

function scriptText(language: Language): string {
  const kit = `npx --yes launch-draft-conformance@${readVersion()}`;
  return [
    "#!/bin/sh",
    '# Tests the service. Options of "run" may follow, such as --only or --verbose.',
    `exec ${kit} run ${SKELETONS[language].target} --baseline ${BASELINE} "$@"`,
    "",
  ].join("\n");
}

const BASELINE_TEXT = `# Failures that are known. Each has a reason, and may have a date:
#   - id: platform/constants/between-seconds
#     reason: the keys of the platform are missing
#     expires: YYYY-MM-DD
known: []
`;

function workflowText(language: Language): string {
  const reporters = '--reporter console github "markdown=$GITHUB_STEP_SUMMARY"';
  const steps =
    language === "typescript"
      ? ["npm install", `npm run conformance -- ${reporters}`]
      : [`sh ${SCRIPT} ${reporters}`];
  return `name: conformance
on: [push, pull_request]
permissions:
  contents: read
jobs:
  conformance:
    runs-on: ubuntu-latest
    steps:
      - uses: actions/checkout@v4
      - uses: actions/setup-node@v4
        with:
          node-version: 22
${steps.map((step) => `      - run: ${step}\n`).join("")}`;
}
