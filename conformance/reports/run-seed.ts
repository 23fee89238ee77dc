/** What a run's people and cases come from, in words: `seed 1`, or `seed 1, salt 4f1c`. */
export function runSeed({ seed, salt }: { readonly seed: number; readonly salt?: string }): string {
  return salt === undefined ? `seed ${seed}` : `seed ${seed}, salt ${salt}`;
}
