import assert from "node:assert/strict";
import { test } from "node:test";
import { type MaskedMessage, SecretMasks } from "./secret-masks.ts";

const SIGNATURE = Buffer.alloc(64, 7).toString("base64");
const BEARER = "a-bearer/that+the=service~gave";

const message = (body: MaskedMessage["body"], ...headers: [string, string][]): MaskedMessage => ({
  headers,
  body,
});
const json = (value: unknown, ...headers: [string, string][]) => message(JSON.stringify(value), ...headers);

test("equal secrets have equal masks, others others, and none can be read", () => {
  const masks = new SecretMasks(Buffer.alloc(32, 1));
  const [, issued] = masks.masked([json({ signatureBase64: SIGNATURE }), json({ bearer: BEARER, x: "y" })]);
  const { bearer, x } = JSON.parse(String(issued?.body));
  assert.match(bearer, /^masked:[\w-]{22}$/);
  assert.equal(x, "y");
  for (const scheme of ["Bearer", "bearer ", "DPoP"]) {
    const [asked] = masks.masked([message(undefined, ["Authorization", `${scheme} ${BEARER}`])]);
    assert.deepEqual(asked?.headers, [["Authorization", `${scheme} ${bearer}`]]);
  }
  const [other] = masks.masked([message(undefined, ["authorization", `Bearer ${BEARER}2`])]);
  assert.match(String(other?.headers[0]?.[1]), /^Bearer masked:/);
  assert.notEqual(other?.headers[0]?.[1], `Bearer ${bearer}`);
  const others = new SecretMasks(Buffer.alloc(32, 2)).masked([json({ bearer: BEARER })]);
  assert.notEqual(JSON.parse(String(others[0]?.body)).bearer, bearer);
});

test("all else of a body stays to the byte, JSON or not", () => {
  const masks = new SecretMasks(Buffer.alloc(32, 1));
  const masked = (body: MaskedMessage["body"]) => masks.masked([message(body)])[0]?.body;
  const text = `{ "id" : "x",\n"signatureBase64"  :\t"${SIGNATURE}","signatureBase64":"short" , }`;
  assert.match(
    String(masked(text)),
    /^\{ "id" : "x",\n"signatureBase64" {2}:\t"masked:[\w-]{22}","signatureBase64":"short" , \}$/,
  );
  const bytes = masked(Buffer.from(`\xff"signatureBase64":"${SIGNATURE}"\xfe`, "latin1"));
  assert.ok(bytes instanceof Uint8Array);
  assert.match(Buffer.from(bytes).toString("latin1"), /^\xff"signatureBase64":"masked:[\w-]{22}"\xfe$/);
  for (const same of ["", '{"bearer":""}', '{"bearer":7}', '{"signatureBase64":"AA=="}', "null", undefined])
    assert.equal(masked(same), same);
});

test("a secret is masked however its name and its value are written", () => {
  const masks = new SecretMasks(Buffer.alloc(32, 1));
  const [mask] = masks.masked([json({ signatureBase64: SIGNATURE })]).map(({ body }) => String(body));
  for (const written of [
    `{"signature\\u0042ase64":"${SIGNATURE}"}`,
    `{"signatureBase64":"${SIGNATURE.replace("B", "\\u0042")}"}`,
  ])
    assert.equal(masks.masked([message(written)])[0]?.body, mask);
  const urlSafe = json({ signatureBase64: SIGNATURE.replace(/=+$/, "") });
  assert.match(String(masks.masked([urlSafe])[0]?.body), /"masked:/);
});

test("a bearer that the service gave out is masked wherever it comes back, and a client's word nowhere else", () => {
  const masks = new SecretMasks(Buffer.alloc(32, 1));
  const mask = JSON.parse(String(masks.masked([json({}), json({ bearer: BEARER })])[1]?.body)).bearer;
  const [, echo] = masks.masked([
    message(undefined, ["authorization", `Bearer ${BEARER}`]),
    json({ code: "UNAUTHORIZED", hint: `no such bearer: ${BEARER}` }, ["x-seen", BEARER]),
  ]);
  assert.deepEqual(JSON.parse(String(echo.body)), { code: "UNAUTHORIZED", hint: `no such bearer: ${mask}` });
  assert.deepEqual(echo.headers, [["x-seen", mask]]);
  const answer = json({ code: "UNAUTHORIZED", productionApproved: false });
  const [asked, same] = masks.masked([
    json({ bearer: "productionApproved" }, ["authorization", "Bearer productionApproved"]),
    answer,
  ]);
  assert.deepEqual(same, answer);
  assert.match(String(asked.headers[0]?.[1]), /^Bearer masked:/);
});

test("what a report shows of an exchange is masked where its secrets stand, and nowhere else", () => {
  const masks = new SecretMasks(Buffer.alloc(32, 1));
  const [asked, answered] = masks.masked([
    json({ id: "x", signatureBase64: SIGNATURE }, ["authorization", `Bearer ${BEARER}`]),
    json({ bearer: BEARER, scope: "s" }),
  ]);
  const shown = {
    request: {
      method: "POST",
      path: "/",
      bearer: BEARER,
      body: JSON.stringify({ id: "x", signatureBase64: SIGNATURE }),
      headers: [
        ["authorization", `Bearer ${BEARER}`],
        ["accept", BEARER],
      ],
    },
    response: { status: 200, body: { bearer: BEARER, scope: "s" } },
    got: null,
    step: 1,
  };
  const { bearer } = JSON.parse(String(answered?.body));
  assert.deepEqual(masks.inValue(shown), {
    ...shown,
    request: {
      ...shown.request,
      bearer,
      body: asked?.body,
      headers: [asked?.headers[0], ["accept", BEARER]],
    },
    response: { status: 200, body: { bearer, scope: "s" } },
  });
});

test("cookies are masked whole", () => {
  const [masked] = new SecretMasks(Buffer.alloc(32, 1)).masked([
    message(undefined, ["Cookie", "sid=1"], ["Accept", "x"]),
  ]);
  assert.match(JSON.stringify(masked?.headers), /^\[\["Cookie","masked:[\w-]{22}"\],\["Accept","x"\]\]$/);
});
