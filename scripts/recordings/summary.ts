import type { RecordedService } from "./job.ts";
import type { Unshown } from "./unshown.ts";

/**
 * What all recordings came to. It is good where nothing was found in that of a legal service, and in that of each broken one
 * which the vectors fail, unless a reason is stated why it cannot show, and none that is stated has become untrue.
 * @param known every service of the bank
 */
export function summaryOfRecordings(
  services: readonly RecordedService[],
  unshown: readonly Unshown[],
  known: ReadonlySet<string>,
): { readonly text: string; readonly good: boolean } {
  const legal = services.filter((service) => service.legal);
  const broken = services.filter((service) => !service.legal && service.fault === undefined);
  const wrong = legal.filter(({ found }) => Object.values(found).some((rules) => rules.length > 0));
  const faults = services.filter(({ fault }) => fault !== undefined);
  const caught = broken.filter(({ failed }) => failed);
  const missed = caught.filter((service) => !isFound(service, "whole")).map(({ id }) => id);
  const shown = new Set(broken.filter((service) => isFound(service, "whole")).map(({ id }) => id));
  const stated = unshown.flatMap((reason) => reason.services);
  const unexplained = missed.filter((id) => !stated.includes(id));
  const stale = stated.filter((id) => shown.has(id) || !known.has(id));
  const exchanges = services.reduce((sum, service) => sum + service.exchanges, 0);
  const lines = [
    ...faults.map(({ id, fault }) => `no run  ${id}: ${fault}`),
    ...wrong.map(({ id, found }) => `legal   ${id}: ${toldOf(found)}`),
    ...unexplained.map((id) => `not found, and no reason is stated: ${id}`),
    ...stale.map((id) => `a reason is stated, but ${shown.has(id) ? "it is found" : "there is none"}: ${id}`),
    `${services.length} services, ${exchanges} exchanges`,
    `${legal.length - wrong.length} of ${legal.length} legal services without a finding, however they are cut`,
    ...cutsOf(broken).map((cut) => {
      const found = caught.filter((service) => isFound(service, cut)).length;
      return `${found} of ${caught.length} services that the vectors fail are found: ${cut}`;
    }),
    ...unshown.flatMap(({ why, services: ids }) => {
      const here = ids.filter((id) => missed.includes(id));
      return here.length === 0 ? [] : [`  ${here.length} are not: ${why}`, `    ${here.join(" ")}`];
    }),
  ];
  const good = [wrong, faults, unexplained, stale].every((list) => list.length === 0);
  return { text: lines.join("\n"), good };
}

function isFound({ found }: RecordedService, cut: string): boolean {
  return (found[cut]?.length ?? 0) > 0;
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
