import { processEdge } from "./cli/edge.ts";
import { main } from "./cli/main.ts";

const edge = processEdge("npm run --silent kit --");
process.exitCode = await main(process.argv.slice(2), edge);
// Requests and waits of an interrupted run would keep the process alive.
if (edge.interrupted.aborted) process.exit();
