#!/usr/bin/env node
import "./compile-later.mjs";
import { builtProgram } from "./door.cjs";
import { withSourcePlaces } from "./source-places.mjs";

const built = builtProgram("cli.js");
if (built === undefined) {
  const { register } = await import("tsx/esm/api");
  register();
} else {
  process.on("uncaughtExceptionMonitor", (error) => {
    if (error instanceof Error && error.stack !== undefined) error.stack = withSourcePlaces(error.stack);
  });
}
await import(built ?? "../legacy/cli.ts");
