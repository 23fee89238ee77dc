import { httpSites } from "../../client-doors/http-sites.ts";
import type { ClientDoor } from "../../engine/client/client-door.ts";
import { type ClientRunOptions, clientRunOutcome } from "../../engine/client/client-run.ts";
import { MACHINE_TIME } from "../../machine-time.ts";
import { type GatedReport, gatedReport } from "../../policies/gated-report.ts";
import { GREETER, GREETER_SUITES } from "./greeter-contract.ts";

/** The report of a run of the greeter's contract. */
export async function runGreeter(
  door: ClientDoor,
  more: Partial<ClientRunOptions> = {},
): Promise<GatedReport> {
  const sites = httpSites();
  try {
    const outcome = await clientRunOutcome({
      contract: GREETER,
      suites: GREETER_SUITES,
      door,
      sites,
      kitVersion: "0.0.0",
      seed: 1,
      only: [],
      bail: false,
      accepted: new Set(),
      limitMs: 2_000,
      time: MACHINE_TIME,
      ...more,
    });
    return gatedReport(GREETER, outcome, {});
  } finally {
    await sites.close();
    await door.close();
  }
}
