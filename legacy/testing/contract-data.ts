import { loadKitData } from "../contract/kit-data.ts";

/** The contract, its data read once for all test files of a process. */
export const { contract } = loadKitData();
