/** The clients of docs/generators.md: generated, compiled, and led through the whole flow against the served reference. */
import assert from "node:assert/strict";
import { execFileSync, spawnSync } from "node:child_process";
import { readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import { PATHS } from "../../conformance/paths.ts";
import { temporaryDirectory } from "../../conformance/testing/temporary-file.ts";
import { programIn } from "../program-in.ts";
import { started } from "../started.ts";

const PACKAGES = fileURLToPath(new URL(".", import.meta.url));
const BIN = dirname(programIn(PACKAGES, "tsc"));
const KIT = "node_modules/launch-draft-conformance";
const STRICT =
  "--noEmit --strict --target es2022 --module esnext --moduleResolution bundler --lib es2022,dom,dom.iterable --types node";

/** The blocks of the page, by what they begin with. */
const blocks = [
  ...readFileSync(join(PATHS.root, "docs/generators.md"), "utf8").matchAll(/```(?:ts|js|sh)\n([\s\S]*?)```/g),
].map(([, block = ""]) => block);
function block(pattern: RegExp): string {
  const found = blocks.filter((text) => pattern.test(text));
  assert.equal(found.length, 1, String(pattern));
  return found[0] ?? "";
}

/** Each generator: how it is called, and the program that the page shows of its client. */
const CLIENTS = {
  "hey-api": {
    command: "npx openapi-ts",
    config: ["openapi-ts.config.mjs", block(/^ {2}parser: /m)],
    program: block(/from "\.\/hey-api"/),
  },
  orval: {
    command: "npx orval",
    config: ["orval.config.mjs", block(/^ {2}launchDraft: /m)],
    program: block(/from "\.\/orval\/client"/),
  },
  "openapi-fetch": { command: block(/^npx openapi-typescript /), program: block(/from "openapi-fetch"/) },
} as const satisfies Record<string, Client>;

/** Where each client has the type of an answer or a request of that name. */
const TYPE_OF = {
  "hey-api": (name: string) => `import("./hey-api").${name}`,
  orval: (name: string) => `import("./orval/client").${name}`,
  "openapi-fetch": (name: string) => `import("./launch-draft").components["schemas"]["${name}"]`,
};

const NAMED =
  "PlatformProfile ChallengeRequest Challenge VerifyRequest Session LaunchRequest UnsignedDraft Cost CostAccount " +
  "Error400 Error401 Error409 Error413 Error429";

/**
 * A program that compiles where no member of any type is `any` or `unknown`. `Timestamp` is set aside: the contract says
 * nothing of its form. So are members whose names the contract does not give.
 */
function noOpenTypes(typeOf: (name: string) => string, timestamp: string): string {
  return `export type Open<T, Path extends string> = 0 extends 1 & T
  ? Path
  : unknown extends T
    ? Path
    : [T] extends [${timestamp}] ? ([${timestamp}] extends [T] ? never : In<T, Path>) : In<T, Path>;
type In<T, Path extends string> = T extends readonly (infer Item)[]
  ? Open<Item, \`\${Path}.*\`>
  : T extends object
    ? { [Key in keyof T as string extends Key ? never : Key]: Open<T[Key], \`\${Path}.\${Key & string}\`> } extends infer Each
      ? Each[keyof Each]
      : never
    : never;
function none<Found extends never>(): Found[] {
  return [];
}
${NAMED.split(" ")
  .map((name) => `none<Open<${typeOf(name)}, "${name}">>();`)
  .join("\n")}
`;
}

test("each generated client has every type, compiles, and leads from a key to a draft", async (context) => {
  const folder = temporaryDirectory(context);
  const server = await started([
    join(PATHS.root, "bin/launch-draft-conformance.mjs"),
    "serve",
    "--port",
    "0",
  ]);
  context.after(() => server.stop());
  const { url } = JSON.parse(server.line) as { readonly url: string };
  const asHere = (text: string) => text.replaceAll("http://127.0.0.1:8080", url).replaceAll(KIT, PATHS.root);
  const write = (name: string, text: string) => writeFileSync(join(folder, name), asHere(text));

  symlinkSync(join(PACKAGES, "node_modules"), join(folder, "node_modules"));
  write("package.json", '{ "type": "module" }');
  write("keys.ts", block(/function newKeyPair/));
  const files: string[] = [];
  for (const [name, client] of Object.entries(CLIENTS) as [keyof typeof CLIENTS, Client][]) {
    if (client.config) write(client.config[0], client.config[1]);
    const [, ...words] = asHere(client.command).trim().split(/\s+/);
    const [program = "", ...rest] = words;
    execFileSync(join(BIN, program), rest, { cwd: folder, stdio: "pipe" });
    write(`flow-${name}.ts`, client.program);
    write(`types-${name}.ts`, noOpenTypes(TYPE_OF[name], TYPE_OF[name]("Timestamp")));
    files.push(`flow-${name}.ts`, `types-${name}.ts`);
  }
  const compiled = compile(folder, files);
  assert.equal(compiled.stdout, "");

  for (const name of Object.keys(CLIENTS)) {
    const words = ["--import", import.meta.resolve("tsx"), `flow-${name}.ts`];
    const { status, stdout, stderr } = spawnSync(process.execPath, words, { cwd: folder, encoding: "utf8" });
    assert.equal(status, 0, stderr);
    assert.deepEqual(
      stdout
        .trim()
        .split("\n")
        .map((line) => line.replace(/ \d+ \d+$/, "")),
      ["pool", "mint", "baseVault", "quoteVault"],
    );
  }
});

interface Client {
  readonly command: string;
  readonly config?: readonly [string, string];
  readonly program: string;
}

function compile(folder: string, files: readonly string[]) {
  return spawnSync(join(BIN, "tsc"), [...STRICT.split(" "), ...files], { cwd: folder, encoding: "utf8" });
}
