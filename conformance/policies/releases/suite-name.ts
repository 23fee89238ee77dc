/** What `--suite` and reports call the set that was frozen for a version. */
export function suiteName(contract: string, version: string): string {
  return `${contract}@${version}`;
}
