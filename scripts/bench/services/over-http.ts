/**
 * The seeded reference over HTTP; it prints its URL as a line of JSON. With --capacity it holds so many of each and goes by the
 * clock on the wall; without, it has a control URL.
 * Usage: over-http.ts [--record FILE | --capacity N]
 */
import { appendFileSync, writeFileSync } from "node:fs";
import { parseArgs } from "node:util";
import { type CallHandler, type ControlHandler, serveHttp } from "../../../reference/http.ts";
import { controlledService } from "../../../reference/http-control.ts";
import * as seeded from "./seeded.ts";

const { values: options } = parseArgs({
  options: { record: { type: "string" }, capacity: { type: "string" } },
});
const { record } = options;
const server = await (options.capacity === undefined ? withControl() : onTheWall(Number(options.capacity)));
process.stdout.write(`${JSON.stringify({ url: server.url })}\n`);
process.on("SIGTERM", () => server.close().then(() => process.exit(0)));

function onTheWall(size: number): ReturnType<typeof serveHttp> {
  const capacity = { challenges: size, sessions: size, drafts: size };
  return serveHttp(seeded.createService({ now: Date.now, capacity }), { port: 0 });
}

async function withControl(): ReturnType<typeof serveHttp> {
  const service = await controlledService(seeded, Date.UTC(2026, 9, 10, 12));
  if (record !== undefined) writeFileSync(record, "");
  const handler: CallHandler = {
    handle(call) {
      note({ ...call, body: call.body instanceof Uint8Array ? [...call.body] : call.body });
      return service.handle(call);
    },
  };
  const control: ControlHandler = (message) => {
    note({ control: message });
    return service.control(message);
  };
  return serveHttp(handler, { port: 0, control });
}

function note(what: object): void {
  if (record !== undefined) appendFileSync(record, `${JSON.stringify(what)}\n`);
}
