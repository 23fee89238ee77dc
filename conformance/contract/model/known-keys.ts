import { addressKind } from "./address.ts";
import type { ModelContext, ServiceInstance } from "./state.ts";

/** Keys that belong to the platform or the operator: the contract does not say whether they may be creators. */
export interface KnownKeys {
  readonly platform: readonly unknown[];
  readonly operator: string | undefined;
  /** How a text stands as a key. */
  readonly kindOf: typeof addressKind;
  /** Whether any key may be one of them, since nobody stated the operator's, or saw the profile. */
  readonly mayBeAny: boolean;
}

/** The keys that the profile and the facts name. */
export function knownKeys(
  { profile }: ServiceInstance,
  { facts, recorded, kindOf = addressKind }: ModelContext,
): KnownKeys {
  const { platform, feeWallet, withdrawAuthority } = profile ?? {};
  return {
    platform: [platform, feeWallet, withdrawAuthority],
    operator: facts.operatorKey,
    kindOf,
    mayBeAny: recorded === true && (facts.operatorKey === undefined || profile === undefined),
  };
}
