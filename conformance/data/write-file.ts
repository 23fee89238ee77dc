/** Writes files. A folder may contain links, devices, and pipes that someone else made. */
import {
  accessSync,
  closeSync,
  constants,
  existsSync,
  fstatSync,
  lstatSync,
  mkdirSync,
  openSync,
  realpathSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { dirname, relative, resolve } from "node:path";
import { DataError, fileError, shownPath } from "./data-file.ts";

const { O_CREAT, O_EXCL, O_NOFOLLOW, O_NONBLOCK, O_TRUNC, O_WRONLY, W_OK } = constants;

interface WriteOptions {
  /** Folder that the user named, if the path is only a file in it. */
  readonly folder?: string;
  /** Whether the file must not exist yet. */
  readonly isNew?: boolean;
}

/**
 * Writes a file, and creates its folder. Never follows a link out of the folder that the user named.
 * @throws {DataError} if the file cannot be written
 */
export function writeTextFile(path: string, text: string, options: WriteOptions = {}): void {
  try {
    const descriptor = openForWriting(path, options);
    try {
      writeFileSync(descriptor, text);
    } finally {
      closeSync(descriptor);
    }
  } catch (error) {
    throw fileError(shownPath(path), "written", error);
  }
}

/** Removes a regular file, or empties the target of a link. Ignores errors, because a later write reports them. */
export function removeOldFile(path: string): void {
  try {
    if (lstatSync(path).isFile()) rmSync(path);
    else if (statSync(path).isFile()) writeTextFile(path, "");
  } catch {
    // There is no such file, or it cannot be changed.
  }
}

/**
 * Checks that a file can be created in a folder that the user named. Changes nothing.
 * @throws {DataError} if a parent is a link out of the folder, a file, or not writable
 */
export function checkPlace(path: string, folder: string): void {
  try {
    const parent = dirname(path);
    if (existsSync(folder)) targetIn(realpathSync(folder), parent);
    const existing = nearestExisting(parent);
    if (!statSync(existing).isDirectory())
      throw new DataError(
        `${shownPath(path)}: ${shownPath(existing)} is not a folder; choose another folder`,
      );
    accessSync(existing, W_OK);
  } catch (error) {
    throw fileError(shownPath(path), "written", error);
  }
}

function openForWriting(path: string, { folder, isNew = false }: WriteOptions): number {
  const kind = folder === undefined ? statSync(path, { throwIfNoEntry: false }) : undefined;
  if (kind !== undefined && !kind.isFile() && !kind.isDirectory()) return openDevice(path);
  const root = folder ?? dirname(path);
  mkdirSync(root, { recursive: true });
  const target = targetIn(realpathSync(root), path);
  mkdirSync(dirname(target), { recursive: true });
  // Without O_NONBLOCK, opening a pipe in the folder would wait for a reader.
  const flags = O_WRONLY | O_CREAT | O_NOFOLLOW | O_NONBLOCK | (isNew ? O_EXCL : O_TRUNC);
  const descriptor = openSync(target, flags);
  if (fstatSync(descriptor).isFile()) return descriptor;
  closeSync(descriptor);
  throw new DataError(`${shownPath(path)}: is not a regular file; remove it`);
}

/** Opens a device or a pipe. @throws {Error} if nothing reads the pipe */
function openDevice(path: string): number {
  // Without this option, opening waits for a reader. With it, a write to a full pipe would fail.
  const probe = openSync(path, O_WRONLY | O_NONBLOCK);
  try {
    return openSync(path, O_WRONLY);
  } finally {
    closeSync(probe);
  }
}

/** Folders whose links the kernel makes, such as `/dev/stdout`. */
const KERNEL_FOLDER = /^\/(?:dev|proc)(?:\/|$)/;

/** Follows all links of a path. @throws {DataError} if a link leads out of the folder, or nowhere */
function targetIn(root: string, path: string): string {
  const existing = nearestExisting(path);
  const rest = relative(existing, resolve(path));
  try {
    const real = realpathSync(existing);
    if (KERNEL_FOLDER.test(root) || !/^\.\.(?:\/|$)/.test(relative(root, real))) return resolve(real, rest);
  } catch {
    // A link that leads nowhere.
  }
  throw new DataError(
    `${shownPath(path)}: ${shownPath(existing)} is a link out of the folder; remove the link`,
  );
}

/** Returns the path itself or its nearest parent that exists, perhaps as a link that leads nowhere. */
function nearestExisting(path: string): string {
  let existing = resolve(path);
  while (!isEntry(existing)) existing = dirname(existing);
  return existing;
}

function isEntry(path: string): boolean {
  try {
    return lstatSync(path, { throwIfNoEntry: false }) !== undefined;
  } catch (error) {
    // A parent is a file.
    if ((error as NodeJS.ErrnoException).code === "ENOTDIR") return false;
    throw error;
  }
}
