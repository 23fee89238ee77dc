// Judges what the options on the standard input name, and writes what came of it on the standard output.
import { text } from "node:stream/consumers";
import { builtProgram } from "../bin/door.cjs";

const built = builtProgram("judged-tests.js");
const fromSources = async () =>
  (await import("tsx/esm/api")).tsImport("./test-doors/judged-tests.ts", import.meta.url);

const { toldTests } = await (built === undefined ? fromSources() : import(built));
process.stdout.write(JSON.stringify(await toldTests(JSON.parse(await text(process.stdin)))));
