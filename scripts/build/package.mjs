/**
 * Builds what the npm package ships: programs whose packages npm installs, the declarations of what can be imported, and
 * the prepared data, compressed. All of it lies flat in one folder, but for what is prepared and the declarations.
 */
import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { brotliCompressSync, constants } from "node:zlib";
import { build, transform } from "esbuild";
import { PACKED_MAPS } from "../../bin/source-places.mjs";
import { COMMON, compiledSchemas, ENTRIES, PREPARING, PROGRAMS } from "./bundles.mjs";
import { filesIn } from "./files-in.mjs";
import { thinMap } from "./thin-map.mjs";

/** Where it lies below what is built, and the declarations in it. */
export const PACKAGE_FOLDER = "lib";
const DECLARATIONS = "types";

/**
 * Folders of data files that a package holds in one: what a run needs of them is prepared, their texts are seldom asked
 * for. Of the examples and documents those that `init` copies: the whole service in Python is for a checkout.
 */
const PACKED = [
  { folder: "vectors/suites", files: /\.yaml$/ },
  { folder: "vectors/client-suites", files: /\.yaml$/ },
  { folder: "vectors/golden-flows", files: /\.yaml$/ },
  { folder: "docs", files: /^(?:adapter|client)-protocol\.md$/ },
  { folder: "vectors/contract", files: /^(?:client\/)?order\.yaml$/ },
  { folder: "reference", files: /(?<!\.test)\.ts$/ },
  { folder: "legacy/examples", files: /^(?!.*(?:\.test\.ts|\.pyc)$)(?!python\/(?!skeleton))/ },
];

/** Packages of which so little is used that it is part of the programs, rather than that they are installed. */
const TAKEN_IN = /node_modules\/(?:@solana\/[\w-]+|ajv|fast-deep-equal|hono)$/;

/** The best takes five times as long, and saves a fortieth. */
const QUALITY = { [constants.BROTLI_PARAM_QUALITY]: 10 };

const DECLARED = new RegExp(`^\\./dist/${PACKAGE_FOLDER}/${DECLARATIONS}/(.+)\\.d(\\.c?ts)$`);
const PROGRAM = new RegExp(`^\\./dist/${PACKAGE_FOLDER}/([^/]+)\\.js$`);
/** An import of another file of the project in a declaration. */
const OWN_IMPORT = /(?<=(?:from |import\()")(\.[^"]+)\.ts(?=")/g;

/**
 * What package.json exports, by the places of its declarations, which lie as the sources do.
 * @param exported the member `exports`
 * @returns the programs of their own that it names, each with its source; and the files whose declarations are wanted: a
 *   source, or declarations that a person wrote, where what is exported is no TypeScript
 */
export function exportedSources(exported) {
  const programs = {};
  const declared = [];
  for (const target of Object.values(exported).flatMap(targetsOf)) {
    const [, name, extension] = DECLARED.exec(target.types) ?? [];
    if (name === undefined) throw new Error(`${target.types} is no place of declarations`);
    declared.push(extension === ".ts" ? `${name}.ts` : `${name}.d${extension}`);
    const [, program] = PROGRAM.exec(target.default) ?? [];
    if (program !== undefined) programs[program] = `${name}.ts`;
  }
  return { programs, declared };
}

/** What there is under an export: for each condition that has its own, the declarations and the program. */
function targetsOf(target) {
  if (typeof target === "string") return [];
  return target.types === undefined ? Object.values(target).flatMap(targetsOf) : [target];
}

/**
 * Builds all of it beside programs and prepared data that are there.
 * @param root of the checkout
 * @param folder what is built, `dist` or what will be
 * @param assets files that programs read, by their paths from the programs, each with where it is
 * @returns the files of the project that the programs are made of
 */
export async function buildPackage(root, folder, assets) {
  const own = join(folder, PACKAGE_FOLDER);
  const manifest = JSON.parse(readFileSync(join(root, "package.json"), "utf8"));
  const { programs, declared } = exportedSources(manifest.exports);
  const installed = Object.keys(manifest.dependencies);
  const { [PREPARING.replace(".js", "")]: _, ...inner } = PROGRAMS;
  const made = await bundle(root, own, { ...inner, ...programs }, installed);
  for (const [name, program] of Object.entries(ENTRIES))
    writeFileSync(join(own, name), `import "./${program}";\n`);
  for (const [name, path] of Object.entries(assets)) {
    mkdirSync(dirname(join(own, name)), { recursive: true });
    copyFileSync(path, join(own, name));
  }
  declare(root, own, declared);
  await compress(root, join(folder, "prepared"), join(own, "prepared"));
  return made;
}

async function bundle(root, folder, programs, external) {
  const { metafile } = await build({
    ...COMMON,
    absWorkingDir: root,
    entryPoints: programs,
    outdir: folder,
    chunkNames: "part-[hash]",
    format: "esm",
    splitting: true,
    external,
    minify: true,
    sourcemap: "external",
    sourcesContent: false,
    metafile: true,
    plugins: [compiledSchemas],
  });
  packMaps(folder);
  writeFileSync(join(folder, "LICENSES.txt"), licensesOf(root, metafile.outputs));
  return Object.keys(metafile.inputs)
    .map((name) => name.replace(/^[\w-]+:/, ""))
    .filter((name) => !name.startsWith("<") && !name.split("/").includes("node_modules"));
}

/** Puts the maps of all programs of a folder into one file, thin and compressed: only a crash asks for them. */
function packMaps(folder) {
  const maps = {};
  for (const name of readdirSync(folder).filter((one) => one.endsWith(".map"))) {
    const path = join(folder, name);
    maps[name.slice(0, -".map".length)] = thinMap(JSON.parse(readFileSync(path, "utf8")));
    rmSync(path);
  }
  writeFileSync(join(folder, PACKED_MAPS), brotliCompressSync(JSON.stringify(maps), { params: QUALITY }));
}

/** The licences of packages of which some code is part of the programs, rather than installed beside them. */
function licensesOf(root, outputs) {
  const parts = Object.values(outputs).flatMap(({ inputs }) => Object.entries(inputs));
  const folders = parts
    .filter(([, { bytesInOutput }]) => bytesInOutput > 0)
    .flatMap(([name]) => /^.*node_modules\/(?:@[^/]+\/)?[^/]+/.exec(name) ?? []);
  const strange = folders.find((name) => !TAKEN_IN.test(name));
  if (strange !== undefined)
    throw new Error(`${strange} would be part of the programs: is it to be a dependency?`);
  const packagesOf = new Map();
  for (const name of [...new Set(folders)].sort()) {
    const license = readdirSync(join(root, name)).find((file) => /^licen[cs]e/i.test(file));
    if (license === undefined) throw new Error(`${name} has no file of its licence`);
    const text = readFileSync(join(root, name, license), "utf8").trim();
    packagesOf.set(text, [...(packagesOf.get(text) ?? []), name.replace(/^.*node_modules\//, "")]);
  }
  const texts = [...packagesOf].map(([text, names]) => `${names.join(", ")}\n\n${text}\n`);
  return texts.join(`\n${"-".repeat(72)}\n\n`);
}

/**
 * Writes the declarations of sources, and of all that these name; those that a person wrote as they are. That the types are
 * right is for `npm run typecheck`.
 */
function declare(root, folder, declared) {
  const all = join(folder, "all-types");
  const project = join(folder, "tsconfig.json");
  const compilerOptions = {
    noEmit: false,
    noCheck: true,
    declaration: true,
    emitDeclarationOnly: true,
    rootDir: root,
    outDir: all,
    typeRoots: [join(root, "node_modules/@types")],
  };
  const files = declared.map((name) => join(root, name));
  const own = { extends: join(root, "tsconfig.json"), compilerOptions, files, include: [] };
  writeFileSync(project, JSON.stringify(own));
  const compiler = createRequire(join(root, "package.json")).resolve("typescript/package.json");
  const { bin } = JSON.parse(readFileSync(compiler, "utf8"));
  execFileSync(process.execPath, [join(dirname(compiler), bin.tsc), "-p", project], { stdio: "inherit" });
  const wanted = declared.map((name) => name.replace(/(?<!\.d)\.ts$/, ".d.ts"));
  // The list grows while it is walked.
  for (const name of wanted) {
    const made = join(all, name);
    const text = readFileSync(existsSync(made) ? made : join(root, name), "utf8");
    for (const [, path] of text.matchAll(OWN_IMPORT)) {
      const found = `${join(dirname(name), path)}.d.ts`;
      if (!wanted.includes(found)) wanted.push(found);
    }
    const file = join(folder, DECLARATIONS, name);
    mkdirSync(dirname(file), { recursive: true });
    // The compiler indents by four spaces, which are a tenth of all.
    writeFileSync(
      file,
      text.replaceAll(OWN_IMPORT, "$1.js").replaceAll(/^(?: {4})+/gm, (gap) => "\t".repeat(gap.length / 4)),
    );
  }
  for (const path of [all, project]) rmSync(path, { recursive: true });
}

/** Compresses what was prepared, and the texts of the files that it was prepared of which are still asked for. */
async function compress(root, from, to) {
  mkdirSync(to);
  const list = {};
  const write = (name, file, text) => {
    const bytes = brotliCompressSync(text, { params: QUALITY });
    writeFileSync(join(to, `${file}.br`), bytes);
    list[name] = { file: `${file}.br`, digest: createHash("sha256").update(bytes).digest("hex") };
  };
  for (const [name, { file }] of Object.entries(JSON.parse(readFileSync(join(from, "list.json"), "utf8")))) {
    const text = readFileSync(join(from, file), "utf8");
    write(name, file, file.endsWith(".cjs") ? (await transform(text, { minify: true })).code : text);
  }
  const texts = PACKED.flatMap(({ folder, files }) =>
    filesIn(join(root, folder))
      .filter((name) => files.test(name))
      .map((name) => [`../../../${folder}/${name}`, readFileSync(join(root, folder, name), "utf8")]),
  );
  write("packed-files", "packed-files.json", JSON.stringify(Object.fromEntries(texts)));
  writeFileSync(join(to, "list.json"), JSON.stringify(list));
}
