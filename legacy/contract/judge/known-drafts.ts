import type { Exchange } from "../../engine/play/exchange.ts";
import { type Advice, type Mismatch, show } from "../../engine/play/judgement.ts";
import { foldedText } from "../folded-text.ts";
import { holdsText } from "./response-schemas.ts";
import type { HashRelation, TransactionReading } from "./transaction.ts";

/** Maximum number of remembered drafts. */
const MOST_KNOWN = 2000;

/** A shorter text may occur in a transaction by chance, or as a word of its format. */
const SHORTEST_TELLING = 12;
/** Characters that every format writes as they are. */
const PLAIN = /^[A-Za-z0-9 ./:-]*$/;
const TEXT_FIELDS = ["name", "symbol", "uri"] as const;

/** The parts of a draft that are compared with others. */
interface DraftSaid {
  readonly signers: string;
  readonly transaction: string;
  readonly messageHash: string;
}

/** A draft and its request, as read. */
export interface DraftRead {
  readonly transaction: TransactionReading | undefined;
  readonly hashed: HashRelation | undefined;
  readonly input: Exchange["body"] | undefined;
}

/** Compares the drafts of one service: those of different launches differ, and all are built in one way. */
export class KnownDrafts {
  readonly #signersOfTransaction = new Map<string, string>();
  readonly #signersOfHash = new Map<string, string>();
  /** Texts that the transaction of their own launch contains. */
  readonly #heldTexts = new Set<string>();
  #relation: string | undefined;
  #blockhash: string | undefined;
  /** By field, whether a transaction contains its value as it is. */
  readonly #holding = new Map<string, boolean>();

  /** Compares a draft with the earlier ones, and remembers it. */
  compare(
    { body }: Exchange,
    { transaction, hashed, input }: DraftRead,
  ): { readonly mismatches: readonly Mismatch[]; readonly advice: readonly Advice[] } {
    const said = saidIn(body);
    if (said === undefined) return { mismatches: [], advice: [] };
    const texts = input === undefined ? [] : this.#compareTexts(said.transaction, input);
    return {
      mismatches: [
        ...this.#compareSigners(said),
        ...(hashed === undefined ? [] : this.#compareRelation(hashed)),
        ...texts.filter((found) => "path" in found),
      ],
      advice: [
        ...texts.filter((found) => "message" in found),
        ...(transaction?.message.whole ? this.#compareBlockhash(transaction.message.blockhash) : []),
      ],
    };
  }

  #compareSigners({ signers, transaction, messageHash }: DraftSaid): readonly Mismatch[] {
    const places = [
      ["unsignedTransactionBase64", this.#signersOfTransaction, transaction],
      ["messageHash", this.#signersOfHash, messageHash],
    ] as const;
    return places.flatMap(([path, known, value]): Mismatch[] => {
      const others = known.get(value) ?? signers;
      if (others !== signers)
        return [
          { rule: "DRAFT-40", path, expected: `other than that of signers ${others}`, got: show(value) },
        ];
      if (known.size < MOST_KNOWN) known.set(value, signers);
      return [];
    });
  }

  #compareRelation(relation: string): readonly Mismatch[] {
    this.#relation ??= relation;
    if (relation === this.#relation) return [];
    const expected = `of the same bytes as in an earlier draft (${this.#relation})`;
    return [{ rule: "DRAFT-41", path: "messageHash", expected, got: relation }];
  }

  #compareTexts(base64: string, input: Exchange["body"]): readonly (Mismatch | Advice)[] {
    const bytes = Buffer.from(base64, "base64");
    const own = TEXT_FIELDS.flatMap((field) => {
      const text = input[field];
      return typeof text === "string" ? [text, foldedText(field, text)] : [];
    });
    return TEXT_FIELDS.flatMap((field) => {
      const text = input[field];
      if (typeof text !== "string" || !isTelling(text)) return [];
      const holds = holdsText(bytes, text);
      const stale = holds ? undefined : this.#staleText(bytes, own);
      if (holds && this.#heldTexts.size < MOST_KNOWN) this.#heldTexts.add(text);
      return [
        ...(stale === undefined ? [] : [staleMismatch(text, stale)]),
        ...this.#compareHolding(field, holds),
      ];
    });
  }

  /** A text of another launch that these bytes contain. */
  #staleText(bytes: Buffer, own: readonly string[]): string | undefined {
    for (const text of this.#heldTexts)
      if (holdsText(bytes, text) && !own.some((one) => one.includes(text))) return text;
    return undefined;
  }

  #compareHolding(field: string, holds: boolean): readonly Advice[] {
    const held = this.#holding.get(field) ?? holds;
    this.#holding.set(field, held);
    if (holds === held) return [];
    const message = `some transactions contain the ${field} of their launch as it is, and others do not`;
    return [{ rule: "DRAFT-43", message }];
  }

  #compareBlockhash(blockhash: string | undefined): readonly Advice[] {
    this.#blockhash ??= blockhash;
    if (blockhash === this.#blockhash) return [];
    const message = "the placeholder blockhash is not the same in every transaction";
    return [{ rule: "DRAFT-44", message }];
  }
}

function saidIn(body: Exchange["body"]): DraftSaid | undefined {
  const { requiredSigners, unsignedTransactionBase64, messageHash } = body;
  if (!Array.isArray(requiredSigners) || typeof unsignedTransactionBase64 !== "string") return undefined;
  if (typeof messageHash !== "string") return undefined;
  return { signers: requiredSigners.join(" and "), transaction: unsignedTransactionBase64, messageHash };
}

/** Whether a text is in a transaction only if it came from a request. */
function isTelling(text: string): boolean {
  return text.length >= SHORTEST_TELLING && PLAIN.test(text);
}

function staleMismatch(own: string, stale: string): Mismatch {
  return {
    rule: "DRAFT-42",
    path: "unsignedTransactionBase64",
    expected: `of this launch, with ${show(own)}`,
    got: `of another, with ${show(stale)}`,
  };
}
