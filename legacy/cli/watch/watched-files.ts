import { type Dirent, type FSWatcher, readdirSync, readFileSync, statSync, watch } from "node:fs";
import { dirname, extname, join, relative, resolve, sep } from "node:path";
import picomatch from "picomatch";
import { importsIn } from "../../adapters/plain-javascript.ts";
import type { RealTime } from "../../engine/play/real-time.ts";

/** What is watched. */
export interface Watched {
  /** A module: with all that it imports by relative paths, and all code below its folder. */
  readonly module?: string;
  /** Globs over files, from the working directory. */
  readonly globs: readonly string[];
  /** Files that the run itself writes. */
  readonly written: readonly string[];
  /** The working directory. */
  readonly cwd: string;
}

/** The files that are watched now, and the folders in which they lie, or may yet be made. */
export interface WatchedFiles {
  readonly files: ReadonlySet<string>;
  readonly folders: ReadonlySet<string>;
}

/** Looks up which files are watched: each save may make it others. Absolute paths. */
export function watchedFiles({ module, globs, written, cwd }: Watched): WatchedFiles {
  const [files, folders] = [new Set<string>(), new Set<string>()];
  const addBelow = (folder: string, isWatched: (path: string) => boolean) => {
    const below = filesBelow(folder);
    for (const one of below.folders) folders.add(one);
    for (const file of below.files) if (isWatched(file)) files.add(file);
  };
  if (module !== undefined) {
    for (const file of importedFiles(resolve(cwd, module))) files.add(file);
    addBelow(dirname(resolve(cwd, module)), (file) => CODE.includes(extname(file)));
  }
  for (const glob of globs) {
    const { base } = picomatch.scan(glob.replace(/^\.\//, ""));
    const matches = picomatch(glob.replace(/^\.\//, ""));
    const place = resolve(cwd, base);
    if (isFile(place)) files.add(place);
    else addBelow(place, (file) => matches(relative(cwd, file).split(sep).join("/")));
  }
  for (const file of written) files.delete(resolve(cwd, file));
  for (const file of files) folders.add(dirname(file));
  return { files, folders };
}

function isFile(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isFile() === true;
}

/** What tells one state of a file from another; by its path. */
export type Snapshot = ReadonlyMap<string, string>;

/** How files stand now. */
export function snapshotOf(files: Iterable<string>): Snapshot {
  const states = new Map<string, string>();
  for (const file of files) {
    const stats = statSync(file, { throwIfNoEntry: false });
    states.set(file, stats === undefined ? "" : `${stats.mtimeMs} ${stats.size} ${stats.ino}`);
  }
  return states;
}

/** The files that are not as they were: changed, new, or gone. */
export function changedFiles(before: Snapshot, after: Snapshot): readonly string[] {
  const all = new Set([...before.keys(), ...after.keys()]);
  return [...all].filter((file) => before.get(file) !== after.get(file));
}

/** Ends of files of code. */
const CODE = [".ts", ".mts", ".cts", ".tsx", ".js", ".mjs", ".cjs", ".jsx"];
/** What TypeScript takes an import of compiled code for. */
const SOURCE_OF: Readonly<Record<string, string>> = {
  ".js": ".ts",
  ".mjs": ".mts",
  ".cjs": ".cts",
  ".jsx": ".tsx",
};

/**
 * A module and every file that it reaches by relative imports, absolute paths. Read as text rather than parsed, so that
 * what is half written still has its imports.
 */
export function importedFiles(file: string): readonly string[] {
  const found = new Set<string>();
  const add = (path: string) => {
    if (found.has(path)) return;
    found.add(path);
    if (!CODE.includes(extname(path))) return;
    for (const name of importsIn(textOf(path))) {
      const imported =
        name !== undefined && /^\.{0,2}\//.test(name) ? fileOf(resolve(dirname(path), name)) : undefined;
      if (imported !== undefined) add(imported);
    }
  };
  add(resolve(file));
  return [...found];
}

function textOf(path: string): string {
  try {
    return readFileSync(path, "utf8");
  } catch {
    // It is being rewritten, or is not there yet.
    return "";
  }
}

/** The file that an import means, as Node and the loader for TypeScript find it. */
function fileOf(path: string): string | undefined {
  const end = extname(path);
  const source = SOURCE_OF[end];
  const candidates = [
    path,
    ...(source === undefined ? [] : [path.slice(0, -end.length) + source]),
    ...CODE.map((other) => path + other),
    ...CODE.map((other) => resolve(path, `index${other}`)),
  ];
  return candidates.find((one) => statSync(one, { throwIfNoEntry: false })?.isFile());
}

/** Maximum number of watched files; the deepest are left out. */
const MOST_FILES = 5_000;

/** What lies below a folder. */
interface FilesBelow {
  readonly files: readonly string[];
  /** The folder itself, and all below it. */
  readonly folders: readonly string[];
}

/** The files and folders below a folder, the nearest first, but for installed packages and what a dot hides. */
function filesBelow(folder: string): FilesBelow {
  const files: string[] = [];
  const folders = [folder];
  // The list grows while it is gone through.
  for (const one of folders) {
    for (const entry of entriesOf(one)) {
      if (entry.name.startsWith(".") || entry.name === "node_modules") continue;
      const path = join(one, entry.name);
      if (entry.isDirectory()) folders.push(path);
      else files.push(path);
    }
    if (files.length >= MOST_FILES) break;
  }
  return { files, folders };
}

function entriesOf(folder: string): readonly Dirent[] {
  try {
    return readdirSync(folder, { withFileTypes: true });
  } catch {
    // It went away, or is not ours to read.
    return [];
  }
}

/** An editor that saves several files, or one in several steps, is done within this time, in ms. */
const SETTLED_MS = 50;
/** Polling interval for changes that the system does not report (a mounted folder), in ms. */
const LOOK_EVERY_MS = 2_000;

/** What is needed to see that files are saved. */
export interface SavesEdge {
  readonly time: Pick<RealTime, "sleep">;
  /** Starts a repeating timer; returns a function that stops it. */
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
      // The system has no watcher left, or does not permit one here.
    }
  }
}
