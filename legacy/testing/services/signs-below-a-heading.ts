import {
  capabilities,
  createService as createReference,
  facts as plain,
} from "../../../reference/service.ts";

/** The reference with a heading above its messages, which is shown to people and not signed. */
export const implementation = { name: "signs-below-a-heading", version: "1" };
export const facts = { ...plain, signedBytes: "adapter" };
export { capabilities };

const HEADING = "Sign in to the offline launch draft\n";

export async function bytesToSign(message: string): Promise<Uint8Array> {
  return Buffer.from(message.slice(HEADING.length));
}

export function createService(options: Parameters<typeof createReference>[0]) {
  const service = createReference(options);
  return {
    handle(call: object) {
      const { status, body } = service.handle(call);
      if (!("message" in body)) return { status, body };
      return { status, body: { ...body, message: `${HEADING}${body.message}` } };
    },
  };
}
