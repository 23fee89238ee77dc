/** Longest list of which every pair is tried. */
const MOST_IN_PAIRS = 24;

/**
 * Makes a failing list small: takes away as many items as it can, puts simpler ones in place of what is left, and brings
 * equal ones together, which a reader takes in at once.
 * Deterministic, and as quick as the list is short. Items are told apart by their JSON.
 * @param fails whether a list still fails in the same way
 * @param simpler simpler forms of an item, the simplest first
 */
export async function minimise<Item>(
  items: readonly Item[],
  fails: (items: readonly Item[]) => Promise<boolean>,
  simpler: (item: Item) => readonly Item[],
): Promise<readonly Item[]> {
  const known = new Map<string, boolean>();
  const failsOnce = async (tried: readonly Item[]) => {
    const name = JSON.stringify(tried);
    const failed = known.get(name) ?? (await fails(tried));
    known.set(name, failed);
    return failed;
  };
  let best = await withoutEnd(items, failsOnce);
  for (let changed = true; changed; ) {
    const before = best;
    best = await withoutNeedless(best, failsOnce);
    best = await withoutPair(best, failsOnce);
    best = await simplified(best, failsOnce, simpler);
    best = await withoutOneFor(best, failsOnce, simpler);
    best = await gathered(best, failsOnce);
    changed = best !== before;
  }
  return best;
}

/** Cuts off what comes after the failure, by halves. */
async function withoutEnd<Item>(
  items: readonly Item[],
  fails: (items: readonly Item[]) => Promise<boolean>,
): Promise<readonly Item[]> {
  let [passing, failing] = [0, items.length];
  while (failing - passing > 1) {
    const middle = Math.floor((passing + failing) / 2);
    if (await fails(items.slice(0, middle))) failing = middle;
    else passing = middle;
  }
  return items.slice(0, failing);
}

/** Drops runs of items, long runs first, for as long as the rest still fails. */
async function withoutNeedless<Item>(
  items: readonly Item[],
  fails: (items: readonly Item[]) => Promise<boolean>,
): Promise<readonly Item[]> {
  let best = items;
  for (let size = Math.ceil(items.length / 2); size >= 1; size = size === 1 ? 0 : Math.ceil(size / 2)) {
    for (let end = best.length; end > 0; end -= size) {
      const shorter = [...best.slice(0, Math.max(0, end - size)), ...best.slice(end)];
      if (shorter.length > 0 && (await fails(shorter))) best = shorter;
    }
  }
  return best;
}

/** Drops two items that need each other, wherever they stand, for as long as the rest still fails. */
async function withoutPair<Item>(
  items: readonly Item[],
  fails: (items: readonly Item[]) => Promise<boolean>,
): Promise<readonly Item[]> {
  if (items.length > MOST_IN_PAIRS) return items;
  for (let second = items.length - 1; second > 0; second--) {
    for (let first = second - 1; first >= 0; first--) {
      const shorter = items.filter((_, index) => index !== first && index !== second);
      if (shorter.length > 0 && (await fails(shorter))) return shorter;
    }
  }
  return items;
}

/** Drops an item that a simpler form of a later one does without. */
async function withoutOneFor<Item>(
  items: readonly Item[],
  fails: (items: readonly Item[]) => Promise<boolean>,
  simpler: (item: Item) => readonly Item[],
): Promise<readonly Item[]> {
  if (items.length > MOST_IN_PAIRS) return items;
  for (const [later, item] of items.entries()) {
    for (const candidate of simpler(item)) {
      for (let dropped = later - 1; dropped >= 0; dropped--) {
        const shorter = items.with(later, candidate).toSpliced(dropped, 1);
        if (await fails(shorter)) return shorter;
      }
    }
  }
  return items;
}

/** Moves items to an equal one before them, where the list still fails then. */
async function gathered<Item>(
  items: readonly Item[],
  fails: (items: readonly Item[]) => Promise<boolean>,
): Promise<readonly Item[]> {
  let best = items;
  for (let index = 2; index < best.length; index++) {
    const names = best.map((item) => JSON.stringify(item));
    const before = names.slice(0, index - 1).lastIndexOf(names[index] ?? "");
    if (before === -1 || names[index - 1] === names[index]) continue;
    const moved = best.toSpliced(index, 1).toSpliced(before + 1, 0, ...best.slice(index, index + 1));
    if (await fails(moved)) best = moved;
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
