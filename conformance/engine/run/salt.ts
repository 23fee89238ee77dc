import type { ImplementationInfo } from "../../adapters/adapter.ts";

/** A text that sets the people and keys of one run apart from those of others. */
export interface Salt {
  readonly text: string;
  /** Whether the user named it: then it counts for any service. */
  readonly told: boolean;
}

/**
 * The salt of a run. A service that cannot be started anew may have served an earlier run, and remember its people; where
 * every service is fresh, the seed alone decides, so that the same seed sends the same to the byte.
 */
export function saltFor({ capabilities }: ImplementationInfo, salt: Salt | undefined): string | undefined {
  return salt?.told || !capabilities.restart ? salt?.text : undefined;
}
