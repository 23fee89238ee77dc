import {
  type Answer,
  type Call,
  type HiddenFault,
  isBuild,
  isVerify,
  members,
  scopeOf,
} from "./hidden-fault.ts";

/** What one instance of a service has seen, as far as a fault may wait for it. */
class Trail {
  readonly #drafts = new Set<string>();
  readonly #creators = new Set<string>();
  readonly #seen = new Set<Arm>();
  #sessions = 0;

  has(arm: Arm): boolean {
    return this.#seen.has(arm);
  }

  see(call: Call, { status, body }: Answer): void {
    if (isVerify(call) && status === 200 && ++this.#sessions === 3)
      this.#seen.add("three sessions were opened");
    if (!isBuild(call)) return;
    if (status === 400 && this.#drafts.size > 0) this.#seen.add("a build was refused for its input");
    if (body["code"] === "IDEMPOTENCY_CONFLICT") this.#seen.add("there was a conflict");
    if (status !== 200) return;
    if (this.#drafts.has(scopeOf(call))) this.#seen.add("there was a retry");
    this.#drafts.add(scopeOf(call));
    this.#creators.add(String(members(call)["creator"]));
    if (this.#creators.size > 1) this.#seen.add("two creators have drafts");
  }
}

/** What has to happen in one instance of the service before a fault begins to show. */
export const ARMS = [
  "there was a retry",
  "two creators have drafts",
  "there was a conflict",
  "a build was refused for its input",
  "three sessions were opened",
] as const;
export type Arm = (typeof ARMS)[number];

/**
 * The same fault, which shows only once something else has happened. Until then a good twin answers, which is asked
 * all the same things and makes the same ids and bearers.
 */
export function armed(arm: Arm, { name, make }: HiddenFault): HiddenFault {
  return {
    name: `once ${arm}: ${name}`,
    make: () => {
      const wrap = make();
      return (start, now) => {
        const good = start(now);
        const wrong = wrap(start, now);
        const trail = new Trail();
        return (call) => {
          const [right, spoilt] = [good(call), wrong(call)];
          if (spoilt instanceof Promise) throw new Error("a fault that answers late cannot be armed");
          const answer = trail.has(arm) ? spoilt : right;
          trail.see(call, answer);
          return answer;
        };
      };
    },
  };
}
