import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { exchangesOf, type GoldenIndex, type HttpForm } from "../../legacy/golden/fixture.ts";
import { PATHS } from "../../legacy/paths.ts";
import { readFixture } from "./golden-examples.ts";
import { readHttpDescription } from "./http-description.ts";
import { departures } from "./http-exchange.ts";

const description = readHttpDescription(PATHS.openapi);
const { fixtures } = JSON.parse(readFileSync(join(PATHS.golden, "index.json"), "utf8")) as GoldenIndex;

for (const { name } of fixtures) {
  test(`golden transcript ${name} fits the HTTP description`, () => {
    for (const { step, http } of exchangesOf(readFixture(name))) {
      assert.deepEqual(departures(description, http), [], `step ${step}`);
    }
  });
}

const [, , proof, build] = exchangesOf(readFixture("happy-path")).map(({ http }) => http);
assert.ok(proof !== undefined && build !== undefined);
const { request, response } = build;
const launch = JSON.parse(request.body ?? "") as object;
const draft = JSON.parse(response.body) as object;
const withHeader = (name: string, value?: string): HttpForm => {
  const others = request.headers.filter((header) => header.name !== name);
  return {
    ...build,
    request: { ...request, headers: value === undefined ? others : [...others, { name, value }] },
  };
};
const withBody = (body: object) => ({ ...build, request: { ...request, body: JSON.stringify(body) } });
const answered = (status: number, body: object) => ({
  ...build,
  response: { ...response, status, body: JSON.stringify(body) },
});
const refusal = (code: string) => ({ code, productionApproved: false });

const BROKEN: Readonly<Record<string, readonly [HttpForm, RegExp]>> = {
  "a status that the operation does not have": [
    answered(404, refusal("NO_EXECUTION_ENDPOINT")),
    /^status 404/,
  ],
  "a code of another status": [answered(401, refusal("INVALID_FIELDS")), /^response: \/code/],
  "an answer without a member": [answered(200, { ...draft, cost: undefined }), /'cost'/],
  "an answer with another constant": [answered(200, { ...draft, sendable: true }), /\/sendable/],
  "a key in base58 of other than 32 bytes": [
    answered(200, { ...draft, platform: "z".repeat(44) }),
    /\/platform/,
  ],
  "no bearer": [withHeader("authorization"), /no bearer/],
  "no idempotency key": [withHeader("idempotency-key"), /no Idempotency-Key/],
  "a malformed idempotency key": [
    withHeader("idempotency-key", "short"),
    /Idempotency-Key: must match pattern/,
  ],
  "another media type": [withHeader("content-type", "text/plain"), /text\/plain/],
  "a sixth field": [withBody({ ...launch, platform: "x" }), /additional properties/],
  "a name of too many bytes": [
    withBody({ ...launch, name: "é".repeat(17) }),
    /\/name must NOT have more than 32 bytes/,
  ],
  "a body of too many bytes": [withBody({ ...launch, uri: "x".repeat(16_384) }), /more than 16384/],
  "no body": [{ ...build, request: { ...request, body: undefined } as never }, /no body/],
  "a fragment in the uri": [withBody({ ...launch, uri: "https://a.example/m#x" }), /\/uri/],
  "a bearer where none is described": [
    { ...proof, request: { ...proof.request, headers: [...proof.request.headers, ...request.headers] } },
    /a bearer, where none is described/,
  ],
};

for (const [what, [exchange, expected]] of Object.entries(BROKEN)) {
  test(`the HTTP description does not allow ${what}`, () => {
    assert.match(departures(description, exchange).join("\n"), expected);
  });
}
