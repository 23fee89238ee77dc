/** The types of golden fixtures; vectors/contract/golden.schema.json is of the same. */
export type { OddSignature } from "../contract/keys/odd-signature.ts";
export type { MessageChange, SignatureChange, SignatureEncoding } from "../contract/keys/proof.ts";
export type {
  AdvanceStep as GoldenAdvanceStep,
  DemoKey,
  ExchangeStep,
  Fixture,
  GoldenIndex,
  GoldenProof,
  GoldenRequest,
  GoldenStep,
  HttpForm,
  HttpHeader,
  IndexEntry,
  JsonObject,
  Omission,
  RestartStep as GoldenRestartStep,
  Substitution,
} from "../golden/fixture.ts";
export type { JsonType, Match, Matcher } from "../golden/matchers.ts";
