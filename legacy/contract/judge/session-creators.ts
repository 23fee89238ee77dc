import type { Exchange } from "../../engine/play/exchange.ts";
import { requestJson } from "./request-json.ts";

/** Whose challenge and whose session each is, as far as the requests say so without doubt (contract, "Authentication"). */
export class SessionCreators {
  readonly #challenges = new Map<string, string>();
  readonly #sessions = new Map<string, string>();

  /** The creator of the session that a bearer stands for; undefined where nobody can tell. */
  of(bearer: string | undefined): string | undefined {
    return this.#sessions.get(bearer ?? "");
  }

  /** Takes note of an answer. */
  note({ operation, request, status, body }: Exchange): void {
    if (status !== 200 || (operation !== "challenge" && operation !== "verify")) return;
    const asked = requestJson(request);
    if (operation === "challenge") keep(this.#challenges, body["id"], asked?.["creator"]);
    else keep(this.#sessions, body["bearer"], this.#challenges.get(String(asked?.["id"])));
  }

  /** Sessions end with the instance of the service. */
  restarted(): void {
    this.#challenges.clear();
    this.#sessions.clear();
  }
}

function keep(owners: Map<string, string>, name: unknown, creator: unknown): void {
  if (typeof name === "string" && typeof creator === "string") owners.set(name, creator);
}
