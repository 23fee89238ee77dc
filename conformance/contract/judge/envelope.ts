import { type Exchange, isObject } from "../../engine/play/exchange.ts";
import { type Mismatch, show } from "../../engine/play/judgement.ts";
import type { ResponseSchemas } from "./response-schemas.ts";
import { secretPaths } from "./secrets.ts";

/** What holds for every answer, whatever was asked: envelope, status, code, and what every body states. */
export function judgeEnvelope(exchange: Exchange, schemas: ResponseSchemas): readonly Mismatch[] {
  const { envelope } = exchange;
  if (!isObject(envelope)) {
    return [
      { rule: "SERVICE-1", path: "envelope", expected: "an object {status, body}", got: show(envelope) },
    ];
  }
  if (exchange.status === undefined) {
    return [{ rule: "SERVICE-1", path: "status", expected: "an integer", got: show(envelope["status"]) }];
  }
  if (!isObject(envelope["body"])) {
    return [{ rule: "SERVICE-1", path: "body", expected: "a JSON object", got: show(envelope["body"]) }];
  }
  const found: Mismatch[] = [...judgeStatus(exchange, exchange.status, schemas)];
  const { body } = exchange;
  if (body["productionApproved"] !== false) {
    const got = show(body["productionApproved"]);
    found.push({ rule: "SERVICE-2", path: "productionApproved", expected: "false", got });
  }
  for (const path of secretPaths(body)) {
    found.push({
      rule: "SERVICE-5",
      path,
      expected: "no private key material in any answer",
      got: "present",
    });
  }
  return found;
}

function judgeStatus(exchange: Exchange, status: number, schemas: ResponseSchemas): readonly Mismatch[] {
  const { operation, body } = exchange;
  const allowed = schemas.statuses(operation);
  const statusesRule = schemas.statusesRule(operation);
  if (allowed !== undefined && statusesRule !== undefined && !allowed.has(status)) {
    return [
      {
        rule: statusesRule,
        path: "status",
        expected: `one of ${[...allowed].join(", ")}`,
        got: String(status),
      },
    ];
  }
  if (status === 200) return [];
  const codes = schemas.codes(status);
  if (codes === undefined) {
    return [
      { rule: "ERROR-2", path: "status", expected: "a status that the contract lists", got: String(status) },
    ];
  }
  const { code } = body;
  if (typeof code !== "string")
    return [{ rule: "ERROR-1", path: "code", expected: "a string", got: show(code) }];
  if (codes.has(code)) return [];
  return [{ rule: "ERROR-2", path: "code", expected: `one of ${[...codes].join(", ")}`, got: show(code) }];
}
