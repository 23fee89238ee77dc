#!/usr/bin/env node
import { processEdge } from "./cli/edge.ts";
import { main } from "./cli/main.ts";
import { IS_PACKAGED } from "./contract/openapi.ts";

const edge = processEdge(IS_PACKAGED ? "npx launch-draft-conformance" : "npm run --silent kit --");
process.exitCode = await main(process.argv.slice(2), edge);
// Requests and waits of an interrupted run would keep the process alive.
if (edge.interrupted.aborted) process.exit();
