import type { ClientDoor } from "../../engine/client/client-door.ts";
import { type ClientRunOptions, clientRunOutcome } from "../../engine/client/client-run.ts";
import { type GatedReport, gatedReport } from "../../policies/gated-report.ts";
import { GREETER, GREETER_SUITES } from "./greeter-contract.ts";
import { NO_SITES, quickTime } from "./greeter-door.ts";

/** The report of a run of the greeter's contract. */
export async function runGreeter(
  door: ClientDoor,
  more: Partial<ClientRunOptions> = {},
): Promise<GatedReport> {
  const outcome = await clientRunOutcome({
    contract: GREETER,
    suites: GREETER_SUITES,
    door,
    sites: NO_SITES,
    kitVersion: "0.0.0",
    seed: 1,
    only: [],
    bail: false,
    accepted: new Set(),
    limitMs: 2_000,
    time: quickTime(),
    ...more,
  });
  return gatedReport(GREETER, outcome, {});
}
