import type { ImplementationInfo } from "../adapters/adapter.ts";
import type { Recorded, RecordedRestart } from "../engine/audit/recorded.ts";
import { GrowingFile } from "./growing-file.ts";
import type { Listener } from "./recording-adapter.ts";
import { type HarText, harText } from "./write-har.ts";
import { headerLine, recordedLine } from "./write-lines.ts";

/** What a recording says of itself besides what passed. */
export interface RecordingFacts {
  readonly contract: string;
  readonly creator: { readonly name: string; readonly version: string };
  /** What stands before the path of each request in a HAR. */
  readonly baseUrl: string;
}

/** Whatever takes text, piece by piece. */
export interface TextSink {
  write(text: string): boolean;
}

/** Writes what passes as a recording: HAR 1.2, or JSON lines. */
export class RecordingText implements Listener {
  readonly #sink: TextSink;
  readonly #facts: RecordingFacts;
  readonly #isHar: boolean;
  #har: HarText | undefined;
  #isBegun = false;
  /** A restart that no entry tells of yet. */
  #restart: RecordedRestart | undefined;
  #exchanges = 0;

  constructor(sink: TextSink, isHar: boolean, facts: RecordingFacts) {
    this.#sink = sink;
    this.#isHar = isHar;
    this.#facts = facts;
  }

  /** How many exchanges were written. */
  get exchanges(): number {
    return this.#exchanges;
  }

  /** What the file says of itself comes from whoever answers first. Nothing is missing where the kit starts the service. */
  connected({ facts, capabilities }: ImplementationInfo): void {
    if (this.#isBegun) return;
    this.#isBegun = true;
    const { contract, creator, baseUrl } = this.#facts;
    const header = { complete: capabilities.restart, facts: { ...facts } };
    if (this.#isHar) this.#har = harText(header, creator, baseUrl);
    this.#sink.write(this.#har?.begin ?? `${headerLine(header, contract)}\n`);
  }

  passed(item: Recorded): void {
    if (this.#har === undefined) this.#line(item);
    else if (item.kind === "restart") this.#restart = item;
    else {
      // What began before the restart and ended after it does not tell of it.
      const after = item.startedMs < (this.#restart?.startedMs ?? 0) ? undefined : this.#restart;
      const between = this.#exchanges === 0 ? "" : this.#har.between;
      this.#write(between + this.#har.entry(item, after));
      if (after !== undefined) this.#restart = undefined;
    }
  }

  #line(item: Recorded): void {
    const line = `${recordedLine(item)}\n`;
    if (item.kind === "restart") this.#sink.write(line);
    else this.#write(line);
  }

  #write(text: string): void {
    if (this.#sink.write(text)) this.#exchanges += 1;
  }
}

/** What stands at the end of a recording. */
export function endOf(isHar: boolean): string {
  return isHar ? "\n]}}\n" : "";
}

/** Whether a file of this name is to be a HAR; any other is JSON lines. */
export function isHarName(file: string): boolean {
  return /\.har$/i.test(file);
}

/** What came of a recording. */
export interface WrittenRecording {
  readonly file: string;
  readonly exchanges: number;
  /** Why the rest is missing, where something could not be written. */
  readonly fault?: string;
}

/** A file into which is written what passes, as it passes. */
export class RecordingFile {
  readonly #file: string;
  readonly #growing: GrowingFile;
  readonly #text: RecordingText;
  #isOpen = true;
  #fault: string | undefined;

  /** @throws the file system's error, where the file cannot be written */
  constructor(file: string, facts: RecordingFacts) {
    this.#file = file;
    const isHar = isHarName(file);
    this.#growing = new GrowingFile(file, endOf(isHar));
    this.#text = new RecordingText({ write: (text) => this.#write(text) }, isHar, facts);
  }

  get listener(): Listener {
    return this.#text;
  }

  /** There is no more; may be called again. */
  end(): WrittenRecording {
    if (this.#isOpen) this.#try(() => this.#growing.close());
    this.#isOpen = false;
    const fault = this.#fault;
    const { exchanges } = this.#text;
    return { file: this.#file, exchanges, ...(fault === undefined ? {} : { fault }) };
  }

  /** Nothing is written after what could not be: a run's recording is whole, or ends somewhere. */
  #write(text: string): boolean {
    if (this.#fault === undefined) this.#try(() => this.#growing.add(text));
    return this.#fault === undefined;
  }

  #try(work: () => void): void {
    try {
      work();
    } catch (thrown) {
      this.#fault ??= (thrown as NodeJS.ErrnoException).code ?? "no reason told";
    }
  }
}
