/** Records requests to a service. */
import type { Facts, Request } from "../../adapters/adapter.ts";
import { keyPairOf } from "../../contract/key-pair.ts";
import { createRequest, launchMembers } from "../../contract/requests.ts";

/** A line of the recording format. */
export interface Line {
  readonly at: string;
  readonly durationMs: number;
  readonly request: Request;
  readonly response: { readonly status: number; readonly body: string };
}

/** The module of a service. */
interface ServiceModule {
  readonly facts: Pick<Facts, "metadataHosts">;
  createService(options: { now(): number }): {
    handle(request: Request): { readonly status: number; readonly body: object };
  };
}

export class Recorder {
  readonly lines: Line[] = [];
  nowMs = Date.UTC(2026, 9, 10, 12);
  readonly alice = keyPairOf("alice");
  readonly #host: string;
  readonly #service: ReturnType<ServiceModule["createService"]>;

  constructor({ createService, facts }: ServiceModule) {
    this.#host = facts.metadataHosts[0];
    this.#service = createService({ now: () => this.nowMs });
  }

  send(request: Request): Record<string, unknown> {
    const { status, body } = this.#service.handle({ ...request });
    this.record(request, status, body);
    return body as Record<string, unknown>;
  }

  record(request: Request, status: number, body: object, durationMs = 5): void {
    const at = new Date(this.nowMs).toISOString();
    this.nowMs += 10;
    this.lines.push({ at, durationMs, request, response: { status, body: JSON.stringify(body) } });
  }

  /** Returns an unused challenge and the request that verifies it. */
  challenge(): Request {
    const { termsHash } = this.send(createRequest("platform", undefined, {}));
    const issued = this.send(
      createRequest("challenge", { creator: this.alice.address, termsHash: String(termsHash) }, {}),
    );
    const signature = this.alice.sign(Buffer.from(String(issued["message"])));
    const signatureBase64 = Buffer.from(signature).toString("base64");
    return createRequest("verify", { id: String(issued["id"]), signatureBase64 }, {});
  }

  build(bearer: string | undefined, key: string, name = "Demo Coin"): Request {
    const { address: mint } = keyPairOf("mint");
    const members = { ...launchMembers(this.alice.address, mint, this.#host), name };
    return createRequest("build", members, {}, { key, bearer });
  }
}

/** Returns a legal conversation: sign-in, builds, a retry, a conflict, a used-up limit, and refusals. */
export function conversation(service: ServiceModule): readonly Line[] {
  const recorder = new Recorder(service);
  const verify = recorder.challenge();
  const bearer = String(recorder.send(verify)["bearer"]);
  recorder.send(recorder.build(bearer, "key-0001"));
  recorder.nowMs += 2000;
  recorder.send(recorder.build(bearer, "key-0001"));
  recorder.send(recorder.build(bearer, "key-0001", "Other Coin"));
  recorder.nowMs += 60_000;
  for (let index = 2; index < 9; index++) recorder.send(recorder.build(bearer, `key-000${index}`));
  recorder.send(recorder.build(bearer, "key-0009", ""));
  recorder.send(recorder.build(undefined, "key-0010"));
  recorder.send(recorder.build(`${bearer}x`, "key-0011"));
  recorder.send(verify);
  return recorder.lines;
}
