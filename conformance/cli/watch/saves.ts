import { type FSWatcher, watch } from "node:fs";
import type { RealTime } from "../../engine/play/real-time.ts";
import { changedFiles, type Snapshot, snapshotOf, type WatchedFiles } from "./watched-files.ts";

/** An editor that saves several files, or one in several steps, is done within this time, in ms. */
const SETTLED_MS = 50;
/** How often it is looked whether a file has changed of which the system told nothing (a mounted folder), in ms. */
const LOOK_EVERY_MS = 2_000;

/** What is needed to see that files are saved. */
export interface SavesEdge {
  readonly time: Pick<RealTime, "sleep">;
  /** Calls back every so many ms, and gives how to end that. */
  readonly every: (ms: number, tick: () => void) => () => void;
  /** Told the files that were saved, soon after. */
  readonly onSave: (files: readonly string[]) => void;
}

/** Sees that files are saved: the system tells that something happened in a folder, and a look at the files what it was. */
export class Saves {
  readonly #list: () => WatchedFiles;
  readonly #edge: SavesEdge;
  readonly #watchers = new Map<string, FSWatcher>();
  readonly #endLooking: () => void;
  #before: Snapshot = new Map();
  #stirred = false;
  #settling = false;
  #ended = false;

  /** @param list the files that are watched, as they are now */
  constructor(list: () => WatchedFiles, edge: SavesEdge) {
    this.#list = list;
    this.#edge = edge;
    this.#before = this.#look();
    this.#endLooking = edge.every(LOOK_EVERY_MS, () => {
      if (changedFiles(this.#before, snapshotOf(this.#before.keys())).length > 0) this.#stir();
    });
  }

  /** How many files are watched. */
  get count(): number {
    return this.#before.size;
  }

  /** Ends the watch. */
  end(): void {
    this.#ended = true;
    this.#endLooking();
    for (const watcher of this.#watchers.values()) watcher.close();
    this.#watchers.clear();
  }

  /** Something happened: looks what, once nothing more happens. */
  readonly #stir = (): void => {
    this.#stirred = true;
    if (!this.#settling) void this.#settle();
  };

  async #settle(): Promise<void> {
    this.#settling = true;
    while (this.#stirred) {
      this.#stirred = false;
      await this.#edge.time.sleep(SETTLED_MS);
    }
    this.#settling = false;
    if (this.#ended) return;
    const after = this.#look();
    const changed = changedFiles(this.#before, after);
    this.#before = after;
    if (changed.length > 0) this.#edge.onSave(changed);
  }

  #look(): Snapshot {
    const { files, folders } = this.#list();
    for (const folder of folders) if (!this.#watchers.has(folder)) this.#watch(folder);
    for (const [folder, watcher] of this.#watchers) {
      if (folders.has(folder)) continue;
      watcher.close();
      this.#watchers.delete(folder);
    }
    return snapshotOf(files);
  }

  /** A folder that cannot be watched, or no longer, is looked at now and then all the same. */
  #watch(folder: string): void {
    try {
      const watcher = watch(folder, this.#stir);
      watcher.on("error", () => {
        watcher.close();
        this.#watchers.delete(folder);
      });
      this.#watchers.set(folder, watcher);
    } catch {
      // There is no room for one more, or the folder is not ours to watch.
    }
  }
}
