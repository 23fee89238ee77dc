import { CONTRACT_ID } from "../contract/operations.ts";

/** Grows whenever a fixture of the same flow changes for the same contract. */
const REVISION = 1;

/** Version of the fixtures: the contract's, and a revision. */
export const GOLDEN_VERSION = `${CONTRACT_ID}+golden.${REVISION}`;
