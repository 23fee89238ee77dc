import type { TestContext } from "node:test";
import { serveHttp } from "../../../reference/http.ts";
import { createService } from "../../../reference/service.ts";

interface Envelope {
  readonly status: number;
  readonly body: Readonly<Record<string, unknown>>;
}

/** Serves the reference over HTTP; where told, so that a challenge can be taken twice, each time for a session. */
export async function servedReference(context: TestContext, { broken }: { readonly broken: boolean }) {
  const service = createService({ now: () => Date.now() });
  const sessions = new Map<string, Envelope>();
  const handle = (call: { readonly path: string; readonly body: unknown }): unknown => {
    const answer = service.handle(call) as Envelope;
    if (!broken || call.path !== "/v1/auth/verify") return answer;
    const text = String(call.body);
    if (answer.status === 200) sessions.set(text, answer);
    return sessions.get(text) ?? answer;
  };
  const server = await serveHttp({ handle }, { port: 0 });
  context.after(() => server.close());
  return server.url;
}
