import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";
import Ajv from "ajv/dist/2020.js";
import { DataError } from "../../conformance/engine/data/data-error.ts";
import { readYaml } from "../../conformance/engine/data/yaml-source.ts";

/** What a service is by the contract, and so what the kit must come to. */
export type Kind = "right" | "legal" | "broken";

/** One service of a stranger, and how it is started. */
export interface Variant {
  /** The folder's name and its own: `python/session-of-59-minutes`. */
  readonly id: string;
  readonly kind: Kind;
  /** What of the contract it breaks, or is let to do. */
  readonly why: string;
  /** Starts its adapter over standard input and output, from `folder`. */
  readonly command: string;
  readonly folder: string;
  /** Why no more than "undecided" can be said of it, where that is so. */
  readonly undecided?: string;
}

const FILE = "variants.yaml";

interface Manifest {
  readonly command: string;
  readonly right: string;
  readonly variants: readonly {
    readonly name: string;
    readonly kind: Kind;
    readonly section: string;
    readonly why: string;
    readonly undecided?: string;
  }[];
}

const text = { type: "string", minLength: 1 };
const isManifest = new Ajv.default({ allErrors: true }).compile<Manifest>({
  type: "object",
  required: ["command", "right", "variants"],
  additionalProperties: false,
  properties: {
    command: text,
    right: text,
    variants: {
      type: "array",
      minItems: 1,
      items: {
        type: "object",
        required: ["name", "kind", "section", "why"],
        additionalProperties: false,
        properties: {
          name: { type: "string", pattern: "^[a-z0-9]+(-[a-z0-9]+)*$" },
          kind: { enum: ["legal", "broken"] },
          section: text,
          why: text,
          undecided: text,
        },
      },
    },
  },
});

/**
 * Reads every stranger's service below a folder: the right one, and each of its variants.
 * @throws {DataError} where a list is missing or has not the form
 */
export function loadVariants(root: string): readonly Variant[] {
  if (!existsSync(root)) throw new DataError(root, "is no folder");
  const languages = readdirSync(root, { withFileTypes: true }).filter((entry) => entry.isDirectory());
  return languages.flatMap(({ name }) => variantsOf(name, join(root, name)));
}

function variantsOf(language: string, folder: string): readonly Variant[] {
  const path = join(folder, FILE);
  if (!existsSync(path)) throw new DataError(path, "is missing: it lists the variants of the service");
  const source = readYaml(path);
  const { value } = source;
  if (!isManifest(value)) {
    const [fault] = isManifest.errors ?? [];
    const place = (fault?.instancePath ?? "").split("/").slice(1);
    throw source.error(place, fault?.message ?? "has not the form of a list of variants");
  }
  const { command, right, variants } = value;
  return [
    { id: `${language}/right`, kind: "right", why: right, command, folder },
    ...variants.map(({ name, section, why, ...rest }) => ({
      ...rest,
      id: `${language}/${name}`,
      why: `${why} (${section})`,
      command: `${command} --variant ${name}`,
      folder,
    })),
  ];
}
