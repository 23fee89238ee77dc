import { createHash } from "node:crypto";
import { basename } from "node:path";
import { readRegularFile } from "../engine/data/read-text-file.ts";
import type { StatementSubject } from "../reports/in-toto.ts";
import { UsageError } from "./usage-error.ts";

/** Options that name what was under test. */
export interface SubjectOptions {
  /** A file, or `NAME@sha256:HEX`, as container images are named. */
  readonly subject?: string;
  readonly module?: string;
}

/**
 * The artifact that an in-toto statement is about: what `--subject` names, or else the file of `--module`.
 * @throws {UsageError} where there is neither: a digest is what such a statement binds to
 * @throws {DataError} where the file cannot be read, or is no regular one
 */
export function subjectOf({ subject, module }: SubjectOptions): StatementSubject {
  const named = /^(.+)@sha256:([0-9a-f]{64})$/.exec(subject ?? "");
  if (named !== null) return { name: named[1] ?? "", sha256: named[2] ?? "" };
  const file = subject ?? module;
  if (file === undefined) {
    throw new UsageError(
      "--reporter in-toto needs --subject, a file or NAME@sha256:HEX: what was under test",
    );
  }
  const hash = createHash("sha256");
  readRegularFile(file, file, (piece) => hash.update(piece));
  return { name: basename(file), sha256: hash.digest("hex") };
}
