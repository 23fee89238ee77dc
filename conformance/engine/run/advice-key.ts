import type { Advice } from "../play/judgement.ts";

/** One for all advice that is the same: what differs only in a place, which is told as "byte 7", is so. */
export function adviceKey({ rule, message }: Advice): string {
  return `${rule} ${message.replace(/\bbyte \d+/g, "byte")}`;
}
