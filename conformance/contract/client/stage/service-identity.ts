import { createHash } from "node:crypto";
import type { StagePeople } from "./stage-people.ts";

/** Members of the profile that stand for the service; each vector serves others. */
const WALLETS = ["platform", "feeWallet", "withdrawAuthority"] as const;

type Body = Readonly<Record<string, unknown>>;

/** Who the scripted service says it is, in place of the reference. */
export class ServiceIdentity {
  readonly termsHash: string;
  readonly #wallets: Readonly<Record<string, string>>;
  readonly #theirs: string;

  /**
   * @param profile what the reference says of itself
   * @param label belongs to the run and the vector alone
   */
  constructor(profile: Body, label: string, people: StagePeople) {
    this.#theirs = String(profile["termsHash"]);
    this.termsHash = createHash("sha256").update(`${label} terms`).digest("hex");
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

  /** A text that names the one hash, naming the other, so that this service's is the one that the reference takes. */
  swapped(text: string): string {
    return text.replaceAll(new RegExp(`${this.termsHash}|${this.#theirs}`, "g"), (hash) =>
      hash === this.#theirs ? this.termsHash : this.#theirs,
    );
  }
}
