#!/usr/bin/env node
import { builtProgram } from "./door.mjs";

const built = builtProgram("cli.js");
if (built === undefined) {
  const { register } = await import("tsx/esm/api");
  register();
}
await import(built ?? "../conformance/cli.ts");
