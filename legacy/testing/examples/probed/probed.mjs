/** Answers what is asked of it to see whether the adapter's statements hold (see PROBES). */
export function createService({ now }) {
  let count = 0;
  let first;
  const answer = async ({ path, body, bearer = null, idempotencyKey = null }) => {
    if (path === "/v1/platform") return JSON.parse(`PROFILE`);
    if (path === "/together") {
      if (first === undefined) {
        await new Promise((resolve) => {
          first = resolve;
        });
      } else first();
      return {};
    }
    if (path === "/body") {
      return typeof body === "string" ? { text: body } : { base64: Buffer.from(body).toString("base64") };
    }
    if (path === "/sent") return { body: body !== undefined, bearer, idempotencyKey };
    if (path === "/clock") return { nowMs: now() };
    if (path === "/count") {
      count++;
      return { count };
    }
    // biome-ignore lint/suspicious/noConsole: what a service prints must not come among the answers.
    console.log("a stray line");
    throw new Error('the probe "fails"\n');
  };
  return { handle: async (request) => ({ status: 200, body: await answer(request) }) };
}
