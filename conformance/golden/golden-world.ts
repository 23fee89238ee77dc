import { keyPairOf, secretOf } from "../contract/keys/key-pair.ts";
import type { ProofSpec } from "../contract/keys/proof.ts";
import { LaunchWorld } from "../contract/verbs/launch-world.ts";
import type { DemoKey } from "./fixture.ts";

/** A proof that was made: by whom, over which text, and what was changed about it. */
export type MadeProof = Omit<ProofSpec, "signer" | "signedBytes" | "bytes"> & { readonly by: string };

/** The world of a flow, which remembers every proof and every key pair. */
export class GoldenWorld extends LaunchWorld {
  /** By `signatureBase64`. */
  readonly proofs = new Map<string, MadeProof>();
  readonly #people = new Map<string, string>();
  readonly #mints = new Set<string>();
  #keys = 0;

  override keyPair(name: string): ReturnType<LaunchWorld["keyPair"]> {
    const pair = super.keyPair(name);
    this.#people.set(pair.address, name);
    return pair;
  }

  override freshKey(): string {
    if (!this.host.info.capabilities.restart) return super.freshKey();
    this.#keys += 1;
    return `demo-key-${String(this.#keys).padStart(4, "0")}`;
  }

  override launchMembers(
    ...given: Parameters<LaunchWorld["launchMembers"]>
  ): ReturnType<LaunchWorld["launchMembers"]> {
    const members = super.launchMembers(...given);
    this.#mints.add(String(members["mint"]));
    return members;
  }

  override proof(spec: Omit<ProofSpec, "signedBytes" | "bytes">): string {
    const text = super.proof(spec);
    const { signer, ...rest } = spec;
    this.proofs.set(text, { ...rest, by: this.#people.get(signer.address) ?? signer.address });
    return text;
  }

  /** The key pairs that took part, by name. */
  demoKeys(): Readonly<Record<string, DemoKey>> {
    const { label, name: scene } = this.host;
    const people = [...this.#people.values()].map((name) => [name, `${label} ${scene} ${name}`] as const);
    const mints = [...this.#mints].map((_, number) => [`mint ${number}`, `${label} mint ${number}`] as const);
    const keys = [...people, ...mints].map(([name, label]) => [name, demoKey(label)] as const);
    // On a shared service each flow has mints of its own, which are left out: nobody signs with them.
    return Object.fromEntries(
      keys.filter(([name, { publicKey }]) => !name.startsWith("mint ") || this.#mints.has(publicKey)),
    );
  }
}

function demoKey(label: string): DemoKey {
  const { address } = keyPairOf(label);
  return {
    label: `launch-draft-conformance ${label}`,
    publicKey: address,
    privateKeyHex: secretOf(label).toString("hex"),
  };
}
