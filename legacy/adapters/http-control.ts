import { AdapterFault } from "./adapter.ts";
import { exchange, type HttpClient } from "./http-exchange.ts";
import { errorLine, readAnswer, requestText } from "./json-rpc.ts";
import type { Call } from "./json-rpc-client.ts";
import { shown } from "./one-line.ts";

/** Posts the adapter protocol's messages to a control URL, one exchange a message (adapter protocol, "Over HTTP"). */
export function httpControl(client: HttpClient, path: string): Call {
  let lastId = 0;
  return async (method, params, timeoutMs = client.timeoutMs) => {
    const fault = (why: string) => new AdapterFault(`${method}: the control URL ${why}`, { fatal: false });
    const id = ++lastId;
    const { status, body } = await exchange(
      { ...client, timeoutMs },
      {
        method: "POST",
        path,
        headers: { "content-type": "application/json", accept: "application/json" },
        body: requestText(id, method, params),
      },
    );
    if (status !== 200) throw fault(`answered with status ${status}: ${shown(body)}`);
    const answer = readAnswer(body);
    if (answer.kind === "none") throw fault(`sent ${answer.why}`);
    if (answer.kind === "error") throw fault(`sent ${errorLine(answer.error)}`);
    if (answer.id !== id) throw fault(`answered to id ${shown(answer.id)}, not ${id}`);
    return answer.result;
  };
}
