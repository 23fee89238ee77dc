/** The id of the result that tells how recorded traffic breaks a rule. */
export function auditId(rule: string): string {
  return `audit/${rule}`;
}
