/** What is used of `@reporters/github/gh_core`, which has no types of its own. */
declare module "@reporters/github/gh_core" {
  export interface CommandProperties {
    readonly title?: string;
    readonly file?: string;
    readonly line?: number;
  }

  export function toCommandProperties(annotation: {
    readonly title?: string;
    readonly file?: string;
    readonly startLine?: number;
  }): CommandProperties;

  /** A workflow command; `toString` gives its line, escaped. */
  export class Command {
    constructor(name: string, properties: CommandProperties, message: string);
    toString(): string;
  }
}
