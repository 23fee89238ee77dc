import { createHash } from "node:crypto";
import type { SignedBytes } from "../../../adapters/adapter.ts";
import type { StagePeople } from "./stage-people.ts";

/** Members of the profile that stand for the service; each vector serves others. */
const WALLETS = ["platform", "feeWallet", "withdrawAuthority"] as const;

type Body = Readonly<Record<string, unknown>>;

/** Names that a profile may give its description of signing: the contract shows none. */
const DESCRIPTIONS = ["signing", "proof", "signatureScheme", "how_to_sign", "signing-description"];

/** Who the scripted service says it is, in place of the reference. */
export class ServiceIdentity {
  readonly termsHash: string;
  readonly #wallets: Readonly<Record<string, string>>;
  readonly #theirs: string;
  readonly #description: string;

  /**
   * @param profile what the reference says of itself
   * @param label belongs to the run and the vector alone
   */
  constructor(profile: Body, label: string, people: StagePeople) {
    this.#theirs = String(profile["termsHash"]);
    this.termsHash = createHash("sha256").update(`${label} terms`).digest("hex");
    const place = createHash("sha256").update(`${label} description`).digest().readUInt32LE(0);
    this.#description = DESCRIPTIONS[place % DESCRIPTIONS.length] ?? "signing";
    this.#wallets = Object.fromEntries(WALLETS.map((wallet) => [wallet, people.stranger(wallet)]));
  }

  /** A profile or a draft of the reference, as this service gives it. */
  shown(body: Body): Body {
    const members = Object.entries(body).map(([name, value]) => {
      if (value === this.#theirs) return [name, this.termsHash];
      return [name, this.#wallets[name] ?? value];
    });
    return Object.fromEntries(members);
  }

  /** A profile of the reference, as this service gives it: what it says of signing stands under a name of its own. */
  profile(body: Body, signedBytes: SignedBytes): Body {
    const members = Object.entries(this.shown(body)).map(([name, value]) => {
      const described = typeof value === "object" && value !== null && Object.hasOwn(value, "signedBytes");
      return described ? [this.#description, { ...value, signedBytes }] : [name, value];
    });
    return Object.fromEntries(members);
  }

  /** A text that names the one hash, naming the other, so that this service's is the one that the reference takes. */
  swapped(text: string): string {
    return text.replaceAll(new RegExp(`${this.termsHash}|${this.#theirs}`, "g"), (hash) =>
      hash === this.#theirs ? this.termsHash : this.#theirs,
    );
  }
}
