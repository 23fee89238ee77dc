import picomatch from "picomatch";
import { loadClientData } from "../../legacy/contract/client/client-data.ts";
import type { KitData } from "../../legacy/contract/kit-data.ts";
import { ruleBook } from "../../legacy/contract/rule-book.ts";
import { searchId } from "../../legacy/engine/client/search-result.ts";
import { idsOf } from "../../legacy/engine/search/search-ids.ts";
import { loadMutants } from "../../legacy/mutants/suite.ts";
import type { Page } from "./pages.ts";

/** What has an id that documents may name. */
export interface KnownIds {
  readonly rules: ReadonlySet<string>;
  readonly points: ReadonlySet<string>;
  /** Vectors, properties and services of the bank. */
  readonly tests: readonly string[];
}

/** All that has an id. */
export async function knownIds({ contract, suites }: KitData): Promise<KnownIds> {
  const { rules, points } = ruleBook();
  const { properties, exhaustive } = idsOf(await contract.searches());
  const bank = loadMutants("services", contract);
  const clients = loadClientData();
  const { search } = clients.contract;
  const clientSearches = search === undefined ? [] : [searchId(search)];
  return {
    rules: new Set([...rules.keys(), ...clients.contract.rules.keys()]),
    points: new Set([...points.keys(), ...clients.contract.points.keys()]),
    tests: [...suites.vectors, ...clients.suites.vectors, ...bank.broken, ...bank.legal]
      .map(({ id }) => id)
      .concat(properties, exhaustive, clientSearches),
  };
}

/** Ids that a page names and nothing has. A name may be a glob, or that of a vector with cases. */
export function unknownIds(
  { blocks, codeSpans }: Page,
  { rules, points, tests }: KnownIds,
): readonly string[] {
  const areas = new Set([...rules].map((id) => id.slice(0, id.lastIndexOf("-"))));
  const suites = new Set(tests.map((id) => id.slice(0, id.indexOf("/"))));
  const texts = [...codeSpans, ...blocks.filter(({ language }) => language !== "ts").map(({ text }) => text)];
  const unknownRules = texts
    .flatMap((text) => [...text.matchAll(/\b([A-Z]+)-\d+\b/g)])
    .filter(([id, area = ""]) => areas.has(area) && !rules.has(id))
    .map(([id]) => id);
  const isPoint = (text: string) => /^[A-Z][A-Z0-9]*(-[A-Z0-9]+)+$/.test(text) && !/-\d+$/.test(text);
  const unknownPoints = codeSpans.filter((text) => isPoint(text) && text !== "RULE-ID" && !points.has(text));
  const unknownTests = texts
    .flatMap((text) => [...text.matchAll(/(?<![\w/.-])([a-z-]+)\/[a-z0-9*-]+(?:\/[a-z0-9*-]+)?(?![\w./-])/g)])
    .filter(([id, suite = ""]) => suites.has(suite) && !names(id, tests))
    .map(([id]) => id);
  return [...unknownRules, ...unknownPoints, ...unknownTests];
}

function names(id: string, tests: readonly string[]): boolean {
  const matches = picomatch([id, `${id}/*`, `${id}/**`]);
  return tests.some((test) => matches(test));
}
