import type { ModelContext, ServiceInstance } from "./state.ts";

/** Keys that belong to the platform or the operator: the contract does not say whether they may be creators. */
export interface KnownKeys {
  readonly platform: readonly unknown[];
  readonly operator: string | undefined;
}

/** The keys that the profile and the facts name. */
export function knownKeys({ profile }: ServiceInstance, { facts }: ModelContext): KnownKeys {
  const { platform, feeWallet, withdrawAuthority } = profile ?? {};
  return {
    platform: [platform, feeWallet, withdrawAuthority],
    operator: facts.operatorKey,
  };
}
