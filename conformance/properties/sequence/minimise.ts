/**
 * Makes a failing list small: takes away as many items as it can, then puts simpler ones in place of what is left.
 * Deterministic, and as quick as the list is short.
 * @param fails whether a list still fails in the same way
 * @param simpler simpler forms of an item, the simplest first
 */
export async function minimise<Item>(
  items: readonly Item[],
  fails: (items: readonly Item[]) => Promise<boolean>,
  simpler: (item: Item) => readonly Item[],
): Promise<readonly Item[]> {
  let best = items;
  for (let changed = true; changed; ) {
    const before = best;
    best = await withoutNeedless(best, fails);
    best = await simplified(best, fails, simpler);
    changed = best !== before;
  }
  return best;
}

/** Drops runs of items, long runs first, for as long as the rest still fails. */
async function withoutNeedless<Item>(
  items: readonly Item[],
  fails: (items: readonly Item[]) => Promise<boolean>,
): Promise<readonly Item[]> {
  let best = items;
  for (let size = Math.ceil(items.length / 2); size >= 1; size = size === 1 ? 0 : Math.ceil(size / 2)) {
    for (let at = best.length - size; at >= 0; at -= 1) {
      if (at + size > best.length) continue;
      const shorter = [...best.slice(0, at), ...best.slice(at + size)];
      if (shorter.length > 0 && (await fails(shorter))) best = shorter;
    }
  }
  return best;
}

async function simplified<Item>(
  items: readonly Item[],
  fails: (items: readonly Item[]) => Promise<boolean>,
  simpler: (item: Item) => readonly Item[],
): Promise<readonly Item[]> {
  let best = items;
  for (let index = 0; index < best.length; index++) {
    const item = best[index];
    if (item === undefined) continue;
    for (const candidate of simpler(item)) {
      const changed = best.with(index, candidate);
      if (!(await fails(changed))) continue;
      best = changed;
      break;
    }
  }
  return best;
}
