import fc from "fast-check";
import type { Property } from "../../engine/contract.ts";
import { runLabel } from "../../engine/play/run-label.ts";
import { checkCases } from "../../engine/search/check-cases.ts";
import { requestSteps } from "../../engine/search/step-maker.ts";
import { inText } from "../commands/in-text.ts";
import { ownText } from "../own-texts.ts";
import { launchBounds } from "../request-fields.ts";
import { DEMO_COIN } from "../verbs/requests.ts";
import { addressText } from "./arbitrary/address-text.ts";
import { keyText } from "./arbitrary/key-text.ts";
import { nearLimitText } from "./arbitrary/near-limit-text.ts";
import { speltBody } from "./arbitrary/spelt-body.ts";
import { uriText } from "./arbitrary/uri-text.ts";
import { SEQUENCES } from "./sequences.ts";

const NEEDS = ["virtual-clock", "restart"] as const;

/** Names, symbols and idempotency keys around their bounds, in characters and in bytes. */
export const texts: Property = {
  name: "texts",
  title: "names, symbols and idempotency keys are taken up to their bounds and refused beyond",
  tries: "a name, symbol or idempotency key of a length near its bound, in characters of one byte to four",
  rules: [
    "LAUNCH-16",
    "LAUNCH-18",
    "LAUNCH-21",
    "LAUNCH-23",
    "IDEMPOTENCY-2",
    "IDEMPOTENCY-3",
    "IDEMPOTENCY-4",
  ],
  needs: NEEDS,
  perRun: 0.5,
  check: (run) =>
    checkCases(
      {
        name: "texts",
        contract: SEQUENCES,
        arbitrary: fc.oneof(
          fc.record({ name: nearLimitText(launchBounds("name").utf8Bytes) }),
          fc.record({ symbol: nearLimitText(launchBounds("symbol").utf8Bytes) }),
          fc.record({ key: keyText }),
        ),
        steps: (fields) => requestSteps([["build", { by: "alice", ...fields }]]),
      },
      run,
    ),
};

/** Public keys as base58 texts, legal and not. */
export const addresses: Property = {
  name: "addresses",
  title: "keys are taken where they are base58 of 32 bytes and refused where they are not",
  tries: "a creator or mint in base58, near 32 bytes and 32 to 44 characters, or spoilt in one place",
  rules: ["CHALLENGE-12", "CHALLENGE-13", "CHALLENGE-14", "LAUNCH-9", "LAUNCH-10", "LAUNCH-11"],
  needs: NEEDS,
  check: (run) =>
    checkCases(
      {
        name: "addresses",
        contract: SEQUENCES,
        arbitrary: fc.record({ text: addressText, mint: fc.boolean() }),
        steps: ({ text, mint }) =>
          requestSteps([
            mint ? ["build", { by: "alice", mint: text }] : ["challenge", { for: "alice", creator: text }],
          ]),
      },
      run,
    ),
};

/** Metadata addresses of legal and illegal parts. */
export const uris: Property = {
  name: "uris",
  title: "a metadata address is taken at the two gateways alone, without credentials, port or fragment",
  tries:
    "a metadata address put together of legal and illegal schemes, hosts, ports, credentials, paths and fragments",
  rules: ["LAUNCH-29", "LAUNCH-30", "LAUNCH-31", "LAUNCH-32", "LAUNCH-33", "LAUNCH-34"],
  needs: NEEDS,
  check: (run) =>
    checkCases(
      {
        name: "uris",
        contract: SEQUENCES,
        arbitrary: uriText(run.connection.info.facts.metadataHosts),
        steps: (uri) => requestSteps([["build", { by: "alice", uri }]]),
      },
      run,
    ),
};

/** One input in two spellings; its draft, cost and transaction are judged on the way. */
export const spellings: Property = {
  name: "spellings",
  title: "an input is the same however its JSON is spelt, and its draft is the one that belongs to it",
  tries: "one input under one key in two spellings of its JSON, and then another input",
  rules: ["IDEMPOTENCY-6", "IDEMPOTENCY-7", "IDEMPOTENCY-8", "JSON-10", "DRAFT-12", "COST-8"],
  needs: [...NEEDS, "rawBody"],
  perRun: 0.5,
  check: (run) => {
    const [hostA] = run.connection.info.facts.metadataHosts;
    const label = runLabel(run.stage);
    const own = (text: string) => ownText(text, label);
    const word = fc.constantFrom("Coin", "Ж coin", "A/B", 'q"uote', "back\\slash", "é", "x");
    const arbitrary = word.chain((name) => {
      const members = {
        creator: inText("alice"),
        mint: inText("gold"),
        name: own(name),
        symbol: own(DEMO_COIN.symbol),
        uri: `https://${hostA}/${own("m")}.json`,
      };
      return fc.tuple(
        speltBody(members),
        speltBody(members),
        speltBody({ ...members, name: `${members.name}!` }),
      );
    });
    return checkCases(
      {
        name: "spellings",
        contract: SEQUENCES,
        arbitrary,
        steps: (bodies) =>
          requestSteps(bodies.map((body) => ["build", { by: "alice", key: own("key-number-1"), body }])),
      },
      run,
    );
  },
};
