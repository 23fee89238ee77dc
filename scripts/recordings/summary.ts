import type { RecordedService } from "./job.ts";

/** What all recordings came to, and whether nothing was found in that of a legal service. */
export function summaryOfRecordings(services: readonly RecordedService[]): {
  readonly text: string;
  readonly good: boolean;
} {
  const legal = services.filter((service) => service.legal);
  const broken = services.filter((service) => !service.legal && service.fault === undefined);
  const wrong = legal.filter(({ found }) => Object.values(found).some((rules) => rules.length > 0));
  const faults = services.filter(({ fault }) => fault !== undefined);
  const lines = [
    ...faults.map(({ id, fault }) => `no run  ${id}: ${fault}`),
    ...wrong.map(({ id, found }) => `legal   ${id}: ${toldOf(found)}`),
    `${legal.length - wrong.length} of ${legal.length} legal services without a finding, however they are cut`,
  ];
  const caught = broken.filter(({ failed }) => failed);
  for (const cut of cutsOf(broken)) {
    const found = caught.filter((service) => (service.found[cut]?.length ?? 0) > 0);
    lines.push(`${found.length} of ${caught.length} services that the vectors fail are found: ${cut}`);
    if (cut !== "whole") continue;
    const missed = caught.filter((service) => !found.includes(service)).map(({ id }) => id);
    if (missed.length > 0) lines.push(`  not found: ${missed.join(" ")}`);
  }
  return { text: lines.join("\n"), good: wrong.length === 0 && faults.length === 0 };
}

function cutsOf(services: readonly RecordedService[]): readonly string[] {
  return [...new Set(services.flatMap(({ found }) => Object.keys(found)))];
}

function toldOf(found: RecordedService["found"]): string {
  return Object.entries(found)
    .filter(([, rules]) => rules.length > 0)
    .map(([cut, rules]) => `${cut}: ${rules.join(" ")}`)
    .join("; ");
}
