import type { ModelContext, ServiceInstance } from "./state.ts";

/** Keys that belong to the platform or the operator: the contract does not say whether they may be creators. */
export interface KnownKeys {
  readonly platform: readonly unknown[];
  readonly operator: string | undefined;
  /** Whether any key may be the operator's, since nobody stated it. */
  readonly mayBeAny: boolean;
}

/** The keys that the profile and the facts name. */
export function knownKeys({ profile }: ServiceInstance, { facts, recorded }: ModelContext): KnownKeys {
  const { platform, feeWallet, withdrawAuthority } = profile ?? {};
  return {
    platform: [platform, feeWallet, withdrawAuthority],
    operator: facts.operatorKey,
    mayBeAny: recorded === true && facts.operatorKey === undefined,
  };
}
