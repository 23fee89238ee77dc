import { PATHS } from "../paths.ts";

/**
 * The text of a module that is the reference, but for what its service answers.
 * @param handle body of `handle(call)`, TypeScript, with the reference's `service` in reach
 */
export function spoiltModule(handle: string): string {
  return `import * as reference from ${JSON.stringify(PATHS.reference)};
export const { facts } = reference;
type Answer = { status: number; body: Record<string, unknown> };
export const createService = (options: { now: () => number }) => {
  const service = reference.createService(options) as { handle(call: unknown): Answer };
  return {
    handle(call: { path: string }) {
      ${handle}
    },
  };
};
`;
}
