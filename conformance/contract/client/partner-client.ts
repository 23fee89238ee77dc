import type { ClientContract } from "../../engine/client/client-contract.ts";
import { CONTRACT_ID } from "../operations.ts";
import { clientRuleBook } from "./client-rule-book.ts";
import { compileScenario } from "./script/compile-scenario.ts";
import type { Scenario } from "./script/scenario.ts";
import { openPartnerStage } from "./stage/partner-stage.ts";

/** Four requests make a launch; what has asked so often will go on. */
const MOST_REQUESTS = 100;

/**
 * What the contract asks of clients, as the engine takes it.
 * @throws {DataError} for a fault in the contract's data files
 */
export function partnerClient(): ClientContract {}
