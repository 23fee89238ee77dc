/** Faults of a request: reasons for a refusal in every state of the service. */

export interface Fault {
  /** Name of the fault. `violation.ts` maps it to the violated rule. */
  readonly name: string;
  /** Codes with which a service may refuse the request. */
  readonly codes: readonly string[];
  /** Whether every conforming service refuses the request. */
  readonly certain: boolean;
}

/** Returns a fault for which every conforming service refuses the request. */
export function certainly(name: string, codes: readonly string[]): readonly Fault[] {
  return [{ name, codes, certain: true }];
}

/** Returns a fault for which a conforming service may refuse the request. */
export function possibly(name: string, codes: readonly string[]): readonly Fault[] {
  return [{ name, codes, certain: false }];
}

export function firstCertainFault(faults: readonly Fault[]): Fault | undefined {
  return faults.find(({ certain }) => certain);
}

/** Returns the outcomes that the request alone explains: `OK` and refusal codes. */
export function outcomesOf(faults: readonly Fault[]): Set<string> {
  const outcomes = new Set(faults.flatMap(({ codes }) => codes));
  if (firstCertainFault(faults) === undefined) outcomes.add("OK");
  return outcomes;
}
