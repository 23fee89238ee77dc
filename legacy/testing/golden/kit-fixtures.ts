import { type ExchangeStep, exchangesOf, type Fixture } from "../../golden/fixture.ts";
import { readGolden } from "../../golden/golden-files.ts";
import { PATHS } from "../../paths.ts";

/** The kit's own fixtures, read once for each test file. */
export const golden = readGolden(PATHS.golden);

/** The kit's fixture of that name. */
export function fixtureNamed(name: string): Fixture {
  const found = golden.fixtures.find((fixture) => fixture.name === name);
  if (found === undefined) throw new Error(`there is no fixture ${name}`);
  return found;
}

/** An exchange of one of the kit's fixtures, by its step. */
export function exchangeAt(name: string, step: number): ExchangeStep {
  const found = exchangesOf(fixtureNamed(name)).find((exchange) => exchange.step === step);
  if (found === undefined) throw new Error(`${name} has no exchange at step ${step}`);
  return found;
}
