import { AdapterFault, type ServiceRequest } from "../../adapters/adapter.ts";
import type { StepPlace } from "./exchange.ts";
import type { Breakage, Finding, Result } from "./result.ts";
import { showRequest } from "./show-exchange.ts";

/** A fault that was looked into: what came of the request, and of the service. */
export class ServiceFault extends AdapterFault {
  readonly finding: Finding;
  /** Whether the service may have stood still for what others asked of it, so that nothing is known of this request. */
  readonly suspect: boolean;

  constructor(
    message: string,
    { log, fatal }: Pick<AdapterFault, "log" | "fatal">,
    finding: Finding,
    suspect = false,
  ) {
    super(message, { log, fatal });
    this.finding = finding;
    this.suspect = suspect;
  }
}

/** A fault at a step of a vector. */
export class FaultInStep extends AdapterFault {
  readonly fault: AdapterFault;
  readonly at: Pick<Breakage, "step" | "place" | "clockMs" | "request">;

  constructor(fault: AdapterFault, { step, place }: StepPlace, clockMs: number, request: ServiceRequest) {
    super(fault.message, fault);
    this.fault = fault;
    this.at = { step, place, clockMs, request: showRequest(request) };
  }
}

/** The user wants the run to end: what was under way is given up. `message` is the reason of what is left out. */
export class Interrupted extends AdapterFault {
  constructor(reason: string) {
    super(reason, { fatal: false });
  }
}

/** The request was not even sent: its operation was not answered too often. `message` is the reason. */
export class GivenUp extends AdapterFault {
  constructor(reason: string) {
    super(reason, { fatal: false });
  }
}

/** Whether a fault says nothing of the implementation: what was asked of it then was not sent. */
export function wasNotSent(fault: AdapterFault): boolean {
  return [Interrupted, GivenUp].some((kind) => fault instanceof kind);
}

/** What was found out of a fault. */
export function findingOf(fault: AdapterFault): ServiceFault | undefined {
  const own = fault instanceof FaultInStep ? fault.fault : fault;
  return own instanceof ServiceFault ? own : undefined;
}

/** Lines of a log that a report keeps: the last are those that tell why. */
const MOST_LOG_LINES = 20;
const MOST_LOG_CHARACTERS = 2_000;

/** What a fault leaves of a result that it ended. */
export function endedBy(
  fault: AdapterFault,
): Pick<Result, "breakage"> & { readonly outcome: "skipped" | "error"; readonly reason: string } {
  const { message: reason, log } = fault;
  if (fault instanceof Interrupted) return { outcome: "skipped", reason };
  if (fault instanceof GivenUp) return { outcome: "error", reason };
  const breakage: Breakage = {
    ...(fault instanceof FaultInStep ? fault.at : {}),
    ...findingOf(fault)?.finding,
    ...(log === undefined ? {} : { log: endOfLog(log) }),
  };
  return { outcome: "error", reason, ...(Object.keys(breakage).length === 0 ? {} : { breakage }) };
}

/** The end of what was written for people, as much as a report keeps. */
export function endOfLog(log: string): string {
  const lines = log.trimEnd().split("\n").slice(-MOST_LOG_LINES).join("\n");
  return lines.length <= MOST_LOG_CHARACTERS ? lines : `…${lines.slice(-MOST_LOG_CHARACTERS)}`;
}
