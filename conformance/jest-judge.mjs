// Judges what the options on the standard input name, and writes what came of it on the standard output.
import { text } from "node:stream/consumers";
import { loadProgram } from "../bin/load-program.mjs";

const { toldTests } = await loadProgram(
  "judged-tests.js",
  new URL("./test-doors/judged-tests.ts", import.meta.url).href,
);
process.stdout.write(JSON.stringify(await toldTests(JSON.parse(await text(process.stdin)))));
