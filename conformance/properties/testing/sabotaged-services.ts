import type { Sabotage } from "./sabotage.ts";
import { sabotagedAuth } from "./sabotaged-auth.ts";
import { sabotagedDrafts } from "./sabotaged-drafts.ts";
import { sabotagedInputs } from "./sabotaged-inputs.ts";
import { sabotagedRaces } from "./sabotaged-races.ts";
import { sabotagedRates } from "./sabotaged-rates.ts";

/** Every sabotaged service. */
export const sabotagedServices: readonly Sabotage[] = [
  ...sabotagedDrafts,
  ...sabotagedAuth,
  ...sabotagedRates,
  ...sabotagedInputs,
  ...sabotagedRaces,
];
