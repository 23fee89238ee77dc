import { statSync } from "node:fs";
import { dirname, extname, relative, resolve, sep } from "node:path";
import picomatch from "picomatch";
import { filesBelow } from "./files-below.ts";
import { CODE, importedFiles } from "./imported-files.ts";

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
