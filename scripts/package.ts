/**
 * Builds the npm package in a folder: bundled code, types, data files, compiled data, and a manifest.
 * Usage: package.ts [FOLDER] (default: dist/package). Then `npm pack FOLDER` or `npm publish FOLDER`.
 */
import { execFileSync } from "node:child_process";
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join, relative, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import type { Metafile } from "esbuild";
import { loadTrials } from "../conformance/clients/load.ts";
import { compileContract, readClientContract, readContract } from "../conformance/contract/contract.ts";
import { OPEN_API } from "../conformance/contract/openapi.ts";
import { compiledName, DATA_FOLDER, ROOT } from "../conformance/data/kit-files.ts";
import { loadKitVectors } from "../conformance/suite/load.ts";
import { readTransformations, TRANSFORMATIONS } from "../conformance/suite/transformations.ts";
import { bundle, KIT, MANIFEST, type Manifest, REFERENCE } from "./bundle.ts";

/** Files and folders that are copied, and their destinations. */
const COPIED: readonly (readonly [from: string, to: string])[] = [
  ["LICENSE", "LICENSE"],
  ["CHANGELOG.md", "CHANGELOG.md"],
  ["docs", "docs"],
  ["conformance/cli/skeletons", "conformance/cli/skeletons"],
  ["conformance/report/page.css", "conformance/report/page.css"],
  ["vectors/client-suites", "vectors/client-suites"],
  ["vectors/contract", "vectors/contract"],
  ["vectors/coverage.md", "vectors/coverage.md"],
  ["vectors/golden", "vectors/golden"],
  ["vectors/golden-flows", "vectors/golden-flows"],
  ["vectors/suites", "vectors/suites"],
  ["vectors/tables", "vectors/tables"],
];
/** The exports of the package: the source of each, and its bundle. */
const EXPORTS: Readonly<Record<string, readonly [source: string, bundle: string]>> = {
  ".": [KIT.index, "lib/kit/index.js"],
  "./node-test": [KIT["node-test"], "lib/kit/node-test.js"],
  "./reference": [REFERENCE.service, "reference/service.js"],
};
const TYPES_FOLDER = "lib/types";
/** Members of the manifest that the package shares with the checkout. */
const SHARED = ["name", "version", "description", "license", "type", "keywords", "homepage", "bugs"] as const;
const ALSO_SHARED = ["repository", "publishConfig", "engines"] as const;

/** Builds the package. @param folder replaced by the package */
export async function buildPackage(folder: string): Promise<void> {
  rmSync(folder, { recursive: true, force: true });
  const metafiles = [
    await bundle(KIT, join(folder, "lib/kit")),
    await bundle(REFERENCE, join(folder, "reference")),
  ];
  for (const [from, to] of COPIED) {
    mkdirSync(dirname(join(folder, to)), { recursive: true });
    cpSync(join(ROOT, from), join(folder, to), { recursive: true });
  }
  writePages(folder);
  mkdirSync(join(folder, "vectors/compiled"));
  for (const [source, value] of compiledData())
    writeFileSync(join(folder, "vectors/compiled", compiledName(source)), JSON.stringify(value));
  writeFileSync(join(folder, "LICENSES.txt"), licensesOf(metafiles));
  writeTypes(folder);
  const used = new Set(metafiles.flatMap(importedPackages));
  const text = JSON.stringify(packageManifest(MANIFEST, used), null, 2);
  writeFileSync(join(folder, "package.json"), `${text}\n`);
}

/** The section of the README that is only for a checkout. */
const CHECKOUT_SECTION = /^## In a checkout\n.*?(?=^## )/ms;
/** A link to a file: its text and its path. */
const LINK = /\[([^\]]+)\]\(([^)#:]+)(?:#[^)]*)?\)/g;

/** Writes the README, and makes plain text of links in pages to files that the package does not have. */
function writePages(folder: string): void {
  const readme = readFileSync(join(ROOT, "README.md"), "utf8");
  writeFileSync(join(folder, "README.md"), readme.replace(CHECKOUT_SECTION, ""));
  const pages = readdirSync(join(folder, "docs")).filter((name) => name.endsWith(".md"));
  for (const page of ["README.md", "vectors/coverage.md", ...pages.map((name) => `docs/${name}`)]) {
    const path = join(folder, page);
    const text = readFileSync(path, "utf8").replace(LINK, (link, shown: string, target: string) =>
      existsSync(join(dirname(path), target)) ? link : shown,
    );
    writeFileSync(path, text);
  }
}

/** Returns the data that the package contains in compiled form: the source and the value of each. */
function compiledData(): readonly (readonly [source: string, value: unknown])[] {
  const schemas = join(DATA_FOLDER, "contract");
  const clientFolder = join(schemas, "client");
  const contract = readContract(schemas);
  return [
    [join(schemas, "openapi.yaml"), OPEN_API],
    [schemas, compileContract(schemas)],
    [join(schemas, "pitfalls.yaml"), contract.pitfalls],
    [clientFolder, compileContract(clientFolder, schemas)],
    [TRANSFORMATIONS, readTransformations()],
    [join(DATA_FOLDER, "suites"), loadKitVectors(contract)],
    [join(DATA_FOLDER, "client-suites"), loadTrials(readClientContract())],
  ];
}

/** Returns the names of the installed packages that bundles import. */
function importedPackages({ outputs }: Metafile): readonly string[] {
  const imports = Object.values(outputs).flatMap((output) => output.imports);
  const external = imports.filter((one) => one.external === true && !one.path.startsWith("node:"));
  return external.map(({ path }) => /^(?:@[^/]+\/)?[^/]+/.exec(path)?.[0] ?? "");
}

/** Returns the licenses of the packages whose code the bundles contain. */
function licensesOf(metafiles: readonly Metafile[]): string {
  const inputs = metafiles.flatMap(({ outputs }) =>
    Object.values(outputs).flatMap((one) => Object.entries(one.inputs)),
  );
  const folders = inputs
    .filter(([, { bytesInOutput }]) => bytesInOutput > 0)
    .flatMap(([file]) => /^.*node_modules\/(?:@[^/]+\/)?[^/]+/.exec(file)?.[0] ?? []);
  const texts = [...new Set(folders)].sort().map((folder) => {
    const path = join(ROOT, folder);
    const license = readdirSync(path).find((name) => /^licen[cs]e/i.test(name));
    if (license === undefined) throw new Error(`${folder} has no license file`);
    const text = readFileSync(join(path, license), "utf8").trim();
    return `${folder.replace(/^.*node_modules\//, "")}\n\n${text}\n`;
  });
  return texts.join(`\n${"-".repeat(72)}\n\n`);
}

/** In a declaration file, an import of another file of the project. */
const OWN_IMPORT = /(?<=(?:from |import\()")(\.[^"]+)\.ts(?=")/g;

/** Writes the declaration files of the exported sources, and of all sources that they import. */
function writeTypes(folder: string): void {
  const all = join(folder, "all-types");
  const project = join(folder, "tsconfig.json");
  const sources = Object.values(EXPORTS).map(([source]) => source);
  const compilerOptions = {
    ...{ noEmit: false, noCheck: true, declaration: true, emitDeclarationOnly: true },
    ...{ rootDir: ROOT, outDir: all, typeRoots: [join(ROOT, "node_modules/@types")] },
  };
  const files = sources.map((source) => join(ROOT, source));
  const config = { extends: join(ROOT, "tsconfig.json"), compilerOptions, files, include: [] };
  writeFileSync(project, JSON.stringify(config));
  const compiler = createRequire(join(ROOT, "package.json")).resolve("typescript/package.json");
  const { bin } = JSON.parse(readFileSync(compiler, "utf8"));
  execFileSync(process.execPath, [join(dirname(compiler), bin.tsc), "-p", project], { stdio: "inherit" });
  rmSync(project);
  const wanted = sources.map((source) => source.replace(/\.ts$/, ".d.ts"));
  // The loop adds names to the list.
  for (const name of wanted) {
    const text = readFileSync(join(all, name), "utf8");
    for (const [, path = ""] of text.matchAll(OWN_IMPORT)) {
      const found = `${join(dirname(name), path)}.d.ts`;
      if (!wanted.includes(found)) wanted.push(found);
    }
    const file = join(folder, TYPES_FOLDER, name);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, text.replaceAll(OWN_IMPORT, "$1.js"));
  }
  rmSync(all, { recursive: true });
}

/** @param used names of the packages that bundles import */
function packageManifest(manifest: Manifest, used: ReadonlySet<string>): object {
  const shared = [...SHARED, ...ALSO_SHARED].map((name) => [name, manifest[name]]);
  const dependencies = Object.entries(manifest.dependencies).filter(([name]) => used.has(name));
  const exported = Object.entries(EXPORTS).map(([name, [source, file]]) => {
    const types = `./${TYPES_FOLDER}/${source.replace(/\.ts$/, ".d.ts")}`;
    return [name, { types, default: `./${file}` }] as const;
  });
  return {
    ...Object.fromEntries(shared),
    bin: { "launch-draft-conformance": "lib/kit/cli.js" },
    exports: {
      ...Object.fromEntries(exported),
      "./vectors/*": "./vectors/*",
      "./package.json": "./package.json",
    },
    dependencies: Object.fromEntries(dependencies.map(([name, version]) => [name, `^${version}`])),
  };
}

const [, script = "", folder = join(ROOT, "dist/package")] = process.argv;
if (existsSync(script) && import.meta.url === pathToFileURL(script).href) {
  if (folder.startsWith("-")) {
    process.stderr.write(`${folder} is not a folder; usage: npm run package -- [FOLDER]\n`);
    process.exit(2);
  }
  await buildPackage(resolve(folder));
  const shown = relative("", resolve(folder));
  process.stdout.write(
    `Wrote the package to ${shown}. Next: npm pack ./${shown}, or npm publish ./${shown}\n`,
  );
}
