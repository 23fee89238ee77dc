import fc from "fast-check";
import type { Property } from "../../engine/contract.ts";
import { checkCases } from "../../engine/search/check-cases.ts";
import { requestSteps } from "../../engine/search/step-maker.ts";
import { anyRequest } from "./arbitrary/any-request.ts";
import { SEQUENCES } from "./sequences.ts";

/** Bodies that are valid but for whom they name: mutations begin here. */
const VALID = [
  JSON.stringify({ creator: "7TS36DXAx1A7EiGWzRguYHts3MEoWvAZ92ZqrySBsfeN", termsHash: "0".repeat(64) }),
  JSON.stringify({ id: "0123456789abcdef".repeat(3), signatureBase64: `${"A".repeat(86)}==` }),
  JSON.stringify({
    creator: "7TS36DXAx1A7EiGWzRguYHts3MEoWvAZ92ZqrySBsfeN",
    mint: "up8GL5taydan6vBzPK5vw1RrkEzH25NRQvbxUEHeiQr",
    name: "Demo Coin",
    symbol: "DEMO",
    uri: "https://gateway.example/m.json",
  }),
];

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
        arbitrary: fc.array(anyRequest(VALID, "step1"), { minLength: 1, maxLength: 4 }),
        steps: (requests) =>
          requestSteps([
            ["session", { for: "bob" }],
            ["build", { by: "alice", key: "key-of-alice" }],
            ["challenge", { for: "alice" }],
            ...requests.map((fields) => ["request", fields] as const),
            ["build", { by: "alice", key: "key-of-alice" }],
            ["verify", { challenge: "$step3" }],
          ]),
      },
      run,
    ),
};
