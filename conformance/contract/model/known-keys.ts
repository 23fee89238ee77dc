import type { KnownKeys } from "./challenge-faults.ts";
import type { ModelContext, ServiceLife } from "./state.ts";

/** The keys that the profile and the facts name. */
export function knownKeys({ profile }: ServiceLife, { facts }: ModelContext): KnownKeys {
  const { platform, feeWallet, withdrawAuthority } = profile ?? {};
  return { platform: [platform, feeWallet, withdrawAuthority], operator: facts.operatorKey };
}
