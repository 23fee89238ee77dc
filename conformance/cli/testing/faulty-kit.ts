/** Runs the kit on the reference, and throws in one of the kit's callbacks. Usage: `faulty-kit.ts FAULT ARG…`. */

import type { AddressInfo } from "node:net";
import { connect, createServer } from "node:net";
import type { Adapter } from "../../adapters/adapter.ts";
import { InProcessAdapter } from "../../adapters/in-process.ts";
import { runInProcess } from "../edge.ts";
import { main } from "../main.ts";
import { loadReference } from "../target.ts";

const [, , fault = "", ...args] = process.argv;
const fail = () => {
  throw new TypeError("a fault of the kit\u001b[2J\nsecond line");
};

/** The start of a fault, by the kind of callback. The request during which it occurs gets no response. */
const FAULTS: Readonly<Record<string, () => void>> = {
  timer: () => setTimeout(fail, 1),
  rejection: () => void Promise.resolve().then(fail),
  signal: () => {
    process.once("SIGUSR2", fail);
    process.kill(process.pid, "SIGUSR2");
  },
  socket: () => {
    const server = createServer().listen(0, "127.0.0.1", () => {
      connect((server.address() as AddressInfo).port, "127.0.0.1").once("connect", fail);
    });
  },
  "nothing to wait for": () => {},
};

/** The number of services that start without the fault. */
const INTACT = fault === "signal while printing" ? Number.POSITIVE_INFINITY : 2;

async function openService(): Promise<Adapter> {
  const adapter = new InProcessAdapter(await loadReference("service"), "the reference");
  let started = 0;
  return {
    info: adapter.info,
    hasSeparateServices: true,
    lost: undefined,
    bytesToSign: (message) => adapter.bytesToSign(message),
    close: () => adapter.close(),
    async start(nowMs) {
      const service = await adapter.start(nowMs);
      started += 1;
      if (started <= INTACT) return service;
      const handle = () => {
        FAULTS[fault]?.();
        return new Promise<never>(() => {});
      };
      return { ...service, nowMs, handle };
    },
  };
}

await runInProcess("kit", (edge) => {
  const { write: print } = edge;
  const write = (text: string) => {
    if (fault === "signal while printing" && text.includes("verdict")) process.kill(process.pid, "SIGINT");
    print(text);
  };
  return main(args, Object.assign(edge, { openService, write }));
});
