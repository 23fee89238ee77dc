import fc from "fast-check";
import type { Property } from "../../engine/contract.ts";
import { runLabel } from "../../engine/play/run-label.ts";
import { checkCases } from "../../engine/search/check-cases.ts";
import { requestSteps } from "../../engine/search/step-maker.ts";
import { keyPairOf } from "../keys/key-pair.ts";
import { ownId, ownText } from "../own-texts.ts";
import { DEMO_COIN } from "../verbs/requests.ts";
import { anyRequest } from "./arbitrary/any-request.ts";
import { SEQUENCES } from "./sequences.ts";

/** Bodies that are valid but for whom they name: mutations begin here. */
function validBodies(label: string): readonly string[] {
  const own = (text: string) => ownText(text, label);
  const creator = keyPairOf(`${label} anybody`).address;
  const mint = keyPairOf(`${label} any mint`).address;
  const { name, symbol } = DEMO_COIN;
  const uri = `https://gateway.example/${own("m")}.json`;
  return [
    JSON.stringify({ creator, termsHash: "0".repeat(64) }),
    JSON.stringify({
      id: ownId("0123456789abcdef".repeat(3), label),
      signatureBase64: `${"A".repeat(86)}==`,
    }),
    JSON.stringify({ creator, mint, name: own(name), symbol: own(symbol), uri }),
  ];
}

/** Any request at all is answered as the contract has it, and changes nothing for those who did not make it. */
export const universal: Property = {
  name: "universal",
  title:
    "any request at all is answered by the contract, and leaves the sessions and drafts of others as they were",
  tries:
    "one to four requests of any method, path, body, bearer and key, between the steps of an honest creator",
  rules: ["SERVICE-1", "SERVICE-2", "ERROR-1", "ERROR-2", "ENDPOINT-5", "ENDPOINT-6", "ENDPOINT-7"],
  needs: ["virtual-clock", "restart", "rawBody"],
  perRun: 0.5,
  check: (run) =>
    checkCases(
      {
        name: "universal",
        contract: SEQUENCES,
        arbitrary: fc.array(anyRequest(validBodies(runLabel(run.stage)), "step1"), {
          minLength: 1,
          maxLength: 4,
        }),
        steps: (requests) =>
          requestSteps([
            ["session", { for: "bob" }],
            ["build", { by: "alice", key: ownText("key-of-alice", runLabel(run.stage)) }],
            ["challenge", { for: "alice" }],
            ...requests.map((fields) => ["request", fields] as const),
            ["build", { by: "alice", key: ownText("key-of-alice", runLabel(run.stage)) }],
            ["verify", { challenge: "$step3" }],
          ]),
      },
      run,
    ),
};
