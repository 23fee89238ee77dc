/** Writes files. A folder may contain links, devices, and pipes that someone else made. */
import {
  closeSync,
  constants,
  lstatSync,
  mkdirSync,
  openSync,
  realpathSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { dirname, relative, resolve } from "node:path";
import { DataError, fileError, shownPath } from "./data-file.ts";

const { O_CREAT, O_EXCL, O_NOFOLLOW, O_NONBLOCK, O_TRUNC, O_WRONLY } = constants;

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

function openForWriting(path: string, { folder, isNew = false }: WriteOptions): number {
  const kind = folder === undefined ? statSync(path, { throwIfNoEntry: false }) : undefined;
  if (kind !== undefined && !kind.isFile() && !kind.isDirectory()) return openDevice(path);
  const root = folder ?? dirname(path);
  mkdirSync(root, { recursive: true });
  const target = targetIn(realpathSync(root), path);
  mkdirSync(dirname(target), { recursive: true });
  return openSync(target, O_WRONLY | O_CREAT | O_NOFOLLOW | (isNew ? O_EXCL : O_TRUNC));
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
  const whole = resolve(path);
  let existing = whole;
  while (lstatSync(existing, { throwIfNoEntry: false }) === undefined) existing = dirname(existing);
  const rest = relative(existing, whole);
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
