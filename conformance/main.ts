#!/usr/bin/env node
// Node opens a debugger for SIGUSR1 and --inspect. A service could change the verdict through it, so these
// statements come before everything else, and the rest of the kit is loaded after them.
process.on("SIGUSR1", () => {});
process.getBuiltinModule?.("inspector")?.close();
// The status of a process that ends in any way other than `runInProcess`.
process.exitCode = 70;

try {
  const { runInProcess } = await import("./cli/edge.ts");
  const { main } = await import("./cli/main.ts");
  const { IS_PACKAGED } = await import("./data/kit-files.ts");
  const words = process.argv.slice(2);
  // In the checkout, the command without arguments tests the bundled reference.
  const args = words.length > 0 || IS_PACKAGED ? words : ["run", "--reference"];
  const program = IS_PACKAGED ? "npx launch-draft-conformance" : "npm run --silent conformance --";
  await runInProcess(program, (edge) => main(args, edge));
} catch (error) {
  process.stderr.write(`internal error: ${String(error).split("\n", 1)}\n`);
  process.exit(70);
}
