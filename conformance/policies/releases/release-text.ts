import { Document } from "yaml";
import { CONTRACT, type Release } from "./release.ts";

const HEADER = ` yaml-language-server: $schema=../contract/release.schema.json
 What counts for ${CONTRACT}@VERSION; written by \`npm run freeze\`, and never changed once the version is out.`;

/** The file of a release. Values are quoted, since a digest may look like a number. */
export function releaseText({ version, digest, rules, vectors, properties }: Release): string {
  const document = new Document({
    version,
    digest,
    rules: Object.fromEntries(rules),
    vectors: Object.fromEntries(vectors),
    properties: [...properties],
  });
  document.commentBefore = HEADER;
  return document.toString({ lineWidth: 0, defaultStringType: "QUOTE_DOUBLE", defaultKeyType: "PLAIN" });
}
