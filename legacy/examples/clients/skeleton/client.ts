/** The skeleton of a client: it asks for the profile, and gives up. Grow it until the kit finds nothing to say. */

/** Who it is, for reports. */
export const client = { name: "skeleton", version: "0.0.1", language: "TypeScript" };

interface Task {
  readonly baseUrl: string;
  readonly creator: { readonly address: string; readonly secretKeyBase64: string };
  readonly token: {
    readonly mint: string;
    readonly name: string;
    readonly symbol: string;
    readonly uri: string;
  };
}

/** How a task ends. */
type Result =
  | { readonly draft: unknown }
  | { readonly refused: { readonly status?: number; readonly code?: string; readonly reason?: string } }
  | { readonly distrusted: string };

/** Gets the unsigned draft of a launch. */
export async function launch({ baseUrl }: Task): Promise<Result> {
  const response = await fetch(`${baseUrl}/v1/platform`);
  const profile = (await response.json()) as { readonly code?: string };
  if (!response.ok) return { refused: { status: response.status, ...codeOf(profile) } };
  // Next: a challenge for creator.address with the profile's terms hash, its message signed, the proof, the build.
  return { refused: { reason: "not written yet" } };
}

function codeOf({ code }: { readonly code?: string }): { readonly code?: string } {
  return code === undefined ? {} : { code };
}
