#!/usr/bin/env node
import { processEdge } from "./cli/edge.ts";
import { main } from "./cli/main.ts";
import { IS_PACKAGED } from "./contract/openapi.ts";

const edge = processEdge(IS_PACKAGED ? "npx launch-draft-conformance" : "npm run --silent conformance --");
const words = process.argv.slice(2);
// In the checkout, the command without arguments tests the bundled reference.
process.exitCode = await main(words.length > 0 || IS_PACKAGED ? words : ["run", "--reference"], edge);
// Pending requests and waits of an interrupted run would keep the process alive.
if (edge.interrupted.aborted) process.exit();
