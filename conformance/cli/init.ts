import { existsSync, lstatSync, readFileSync } from "node:fs";
import { basename, dirname, join, relative, resolve } from "node:path";
import { ROOT, readVersion } from "../data/kit-files.ts";
import { escapeLines, shellLine } from "../data/text.ts";
import { checkPlace, writeTextFile } from "../data/write-file.ts";
import type { Edge } from "./edge.ts";
import { type Invocation, type Language, UsageError } from "./options.ts";

/** Service skeletons by language: the file in `skeletons/`, and the `run` options that name the service. */
export const SKELETONS: Readonly<Record<Language, { readonly file: string; readonly target: string }>> = {
  typescript: { file: "service.ts", target: "--module service.ts" },
  python: { file: "service.py", target: '--command "python3 service.py"' },
  go: { file: "service.go", target: '--command "go run service.go"' },
  java: { file: "Service.java", target: '--command "java Service.java"' },
};

/** Skeletons, and in `tests/` the files that test a service of any language. */
const FOLDER = join(ROOT, "conformance", "cli", "skeletons");
const BASELINE = "known-failures.yaml";
const SCRIPT = "conformance.sh";
const MANIFEST = "package.json";
const WORKFLOW = ".github/workflows/conformance.yml";

/**
 * Writes a skeleton of a service, a script that tests it, a CI workflow, and an empty baseline. Writes
 * nothing if one of the files exists, or cannot be written. Keeps an existing package.json.
 * @returns exit status: 0
 * @throws {UsageError} if one of the files exists
 * @throws {DataError} if the folder cannot be written
 */
export function initCommand({ operands: [folder = "."], options }: Invocation, edge: Edge): number {
  const { language = "typescript" } = options;
  const { file, target } = SKELETONS[language];
  const name = serviceName(folder);
  const script = skeleton("tests/conformance.sh").replace("my-target", target);
  const files = new Map([
    [file, skeleton(join(language, file)).replace("my-service", name)],
    [SCRIPT, script.replace("my-version", readVersion())],
    [BASELINE, skeleton("tests/known-failures.yaml")],
  ]);
  if (language === "typescript" && !existsSync(join(folder, MANIFEST)))
    files.set(MANIFEST, `${JSON.stringify({ name, private: true, type: "module" }, null, 2)}\n`);
  const repository = repositoryOf(folder);
  // GitHub runs only the workflows in the root of a repository.
  const isRoot = repository === undefined || repository === resolve(folder);
  if (isRoot) files.set(WORKFLOW, skeleton("tests/conformance.yml"));
  const names = [...files.keys()];
  for (const name of names) checkPlace(join(folder, name), folder);
  // A link that leads nowhere also counts as an existing file.
  const taken = names.filter((path) => lstatSync(join(folder, path), { throwIfNoEntry: false }));
  if (taken.length > 0)
    throw new UsageError(`${folder} already has ${taken.join(", ")}; choose another folder: init <folder>`);
  for (const [path, text] of files) writeTextFile(join(folder, path), text, { folder, isNew: true });
  const lines = [
    `Wrote to ${folder}: ${names.join(", ")}`,
    `1. Test:       ${folder === "." ? "" : `cd ${shellLine([folder])} && `}sh ${SCRIPT}`,
    `2. Implement:  edit ${file} until the first failure is gone, and test again.`,
    `3. Adopt:      in ${BASELINE}, list the failures that you accept, each with a reason.`,
    isRoot
      ? `4. Automate:   commit ${WORKFLOW}, which tests every push.`
      : `4. Automate:   let the CI of ${repository} run ${relative(repository, resolve(folder, SCRIPT))}.`,
    `Documentation: ${relative("", join(ROOT, "docs", "getting-started.md"))}`,
  ];
  edge.write(escapeLines(lines));
  return 0;
}

function skeleton(path: string): string {
  return readFileSync(join(FOLDER, path), "utf8");
}

/** Returns the name of a folder as a valid name of a package. */
function serviceName(folder: string): string {
  const name = basename(resolve(folder))
    .toLowerCase()
    .replace(/[^a-z0-9-]+/g, "-");
  return name.replace(/^-+|-+$/g, "").slice(0, 60) || "my-service";
}

/** Returns the root of the Git repository that contains a folder, or undefined. */
function repositoryOf(folder: string): string | undefined {
  for (let path = resolve(folder); ; path = dirname(path)) {
    if (existsSync(join(path, ".git"))) return path;
    if (path === dirname(path)) return undefined;
  }
}
