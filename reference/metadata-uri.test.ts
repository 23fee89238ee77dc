import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { checkMetadataUri } from "./metadata-uri.ts";
import { METADATA_HOSTS } from "./profile.ts";

const [hostA, hostB] = METADATA_HOSTS;

const accepted = [
  `https://${hostA}/`,
  `https://${hostB}/m.json`,
  `https://${hostA}/a/b/../c.json?x=1&y=https://other.example/`,
  `https://${hostA}/user@host:8080/%41%20m.json`,
  `https://${hostA}//double`,
  `https://${hostA}/"<>[]^\`{|}~!$'()*+,;=`,
];

const refused: Readonly<Record<"METADATA_URL" | "METADATA_HOST", readonly string[]>> = {
  METADATA_HOST: [
    "https://other.example/m.json",
    `https://${hostA}.evil.example/m.json`,
    `https://evil-${hostA}/m.json`,
    `https://cdn.${hostA}/m.json`,
    `https://${hostA}./m.json`,
    `https://${hostA.toUpperCase()}/m.json`,
    `https://${hostA.replace("g", "%67")}/m.json`,
    `https://${hostA.replace("a", "\u0430")}/m.json`,
    `https://${hostA.replace(".", "\t.")}/m.json`,
    `https://${hostA.replace(".", "。")}/m.json`,
    `https:// ${hostA}/m.json`,
    `https://${hostA} /m.json`,
    `https://${hostA}\u0000/m.json`,
    "https:///m.json",
    `https:///${hostA}/m.json`,
    "https://__proto__/m.json",
  ],
  METADATA_URL: [
    "m.json",
    `//${hostA}/m.json`,
    `http://${hostA}/m.json`,
    `HTTPS://${hostA}/m.json`,
    `ipfs://${hostA}/m.json`,
    `https:/${hostA}/m.json`,
    `https:${hostA}/m.json`,
    `https:\\\\${hostA}\\m.json`,
    ` https://${hostA}/m.json`,
    `ht\ttps://${hostA}/m.json`,
    `https://${hostA}`,
    `https://${hostA}?x=/`,
    `https://${hostA}#/`,
    `https://${hostA}\\m.json`,
    `https://${hostA}\\/m.json`,
    `https://${hostA}\\@other.example/m.json`,
    `https://other.example#@${hostA}/m.json`,
    `https://user@${hostA}/m.json`,
    `https://user:word@${hostA}/m.json`,
    `https://@${hostA}/m.json`,
    `https://:@${hostA}/m.json`,
    `https://${hostA}@other.example/m.json`,
    `https://${hostA}:443/m.json`,
    `https://${hostA}:/m.json`,
    `https://${hostA}/m.json#part`,
    `https://${hostA}/m.json#`,
    `https://${hostA}/a\\b.json`,
    `https://${hostA}/a b.json`,
    `https://${hostA}/m.json `,
    `https://${hostA}/m.json\n`,
    `https://${hostA}/\u007f`,
    `https://${hostA}/\u00e4.json`,
    `https://${hostA}/\ud800.json`,
  ],
};

describe("metadata URI", () => {
  for (const uri of accepted) it(`accepts ${JSON.stringify(uri)}`, () => checkMetadataUri(uri));
  for (const [code, uris] of Object.entries(refused)) {
    for (const uri of uris) {
      it(`refuses ${JSON.stringify(uri)} with ${code}`, () => {
        assert.throws(() => checkMetadataUri(uri), { name: "Refusal", code });
      });
    }
  }
});
