import type { ClientContract } from "../../engine/client/client-contract.ts";
import { loadOrder, type VectorOrder } from "../../engine/vectors/order.ts";
import { PATHS } from "../../paths.ts";
import { CONTRACT_ID } from "../operations.ts";
import { clientRuleBook } from "./client-rule-book.ts";
import { judgeClient } from "./judge/judge-client.ts";
import { compileScenario } from "./script/compile-scenario.ts";
import type { Scenario } from "./script/scenario.ts";
import { simplerScripts } from "./search/simpler-scripts.ts";
import { openPartnerStage } from "./stage/partner-stage.ts";

/** A launch takes four requests, and a patient client a few dozen: what has asked so often does not end by itself. */
const MOST_REQUESTS = 100;

let order: VectorOrder | undefined;

/** What the Offline Launch-Draft Partner Service contract asks of clients, as the engine takes it. */
export const partnerClient: ClientContract = {
  id: CONTRACT_ID,
  mostRequests: MOST_REQUESTS,
  search: {
    name: "client-scripts",
    title: "a client keeps its rules with any legal service, whatever befalls its requests",
    rules: ["CLIENT-FLOW-3", "CLIENT-FLOW-2"],
    simpler: simplerScripts,
    entries: async () => (await import("./search/script-arbitrary.ts")).SCRIPTS,
  },
  get areas() {
    return clientRuleBook().areas;
  },
  get rules() {
    return clientRuleBook().rules;
  },
  get points() {
    return clientRuleBook().points;
  },
  get order() {
    order ??= loadOrder(PATHS.clientOrder, PATHS.orderSchema);
    return order;
  },
  compile: (entry, source, path) => ({ ...compileScenario(entry, source, path) }),
  stage: (scenario, host) => openPartnerStage(scenario as unknown as Scenario, host, judgeClient),
};
