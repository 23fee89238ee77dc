import { PATHS } from "../../conformance/paths.ts";
import { TERMS_HASH } from "../../reference/profile.ts";

/** A request, and all that is looked at in its answer. */
interface SameStep {
  readonly name: string;
  /** What the kit's own vector says. */
  readonly vector: string;
  readonly method: "GET" | "POST";
  readonly path: string;
  readonly body?: object;
  readonly status: number;
  /** Members of the answer that have one value. */
  readonly members: Readonly<Record<string, string | boolean>>;
  /** Members that have a form. */
  readonly forms: Readonly<Record<string, string>>;
}

const CREATOR = "11111111111111111111111111111112";
const UNKNOWN_ID = "0".repeat(48);
const SIGNATURE = `${"A".repeat(86)}==`;

/** Four requests without keys, so that every runner can make them: two that are served and two that are refused. */
export const STEPS: readonly SameStep[] = [
  {
    name: "platform",
    vector: "platform: {}",
    method: "GET",
    path: "/v1/platform",
    status: 200,
    members: { mode: "OFFLINE_PROTOTYPE", productionApproved: false },
    forms: { termsHash: "^[a-f0-9]{64}$" },
  },
  {
    name: "challenge",
    vector: "challenge: { for: alice }",
    method: "POST",
    path: "/v1/auth/challenge",
    body: { creator: CREATOR, termsHash: TERMS_HASH },
    status: 200,
    members: { productionApproved: false },
    forms: { id: "^[a-f0-9]{48}$" },
  },
  {
    name: "verify",
    vector: `request: { method: POST, path: /v1/auth/verify, json: { id: "${UNKNOWN_ID}", signatureBase64: "${SIGNATURE}" } }`,
    method: "POST",
    path: "/v1/auth/verify",
    body: { id: UNKNOWN_ID, signatureBase64: SIGNATURE },
    status: 401,
    members: { code: "EXPIRED_OR_USED_CHALLENGE", productionApproved: false },
    forms: {},
  },
  {
    name: "build",
    vector: "request: { method: POST, path: /v1/launch/build, json: {} }",
    method: "POST",
    path: "/v1/launch/build",
    body: {},
    status: 401,
    members: { code: "UNAUTHORIZED", productionApproved: false },
    forms: {},
  },
];

const json = (value: unknown) => JSON.stringify(value);

/** A suite for the kit's `replay`: the judge looks at every member besides. */
export function asSuite(rounds: number): string {
  const steps = STEPS.map(({ vector, status, members }) => {
    const body = Object.fromEntries(Object.entries(members).filter(([name]) => name !== "code"));
    const outcome = members["code"] === undefined ? status : `${status} ${members["code"]}`;
    return `            - ${vector}\n              expect: ${json({ is: outcome, body })}`;
  });
  return `suite: bench
about: The same requests as by other runners.
vectors:
  - id: same-steps
    title: four requests, again and again
    rules: [PLATFORM-1, ENDPOINT-2, CHALLENGE-22, AUTH-4]
    steps:
      - repeat:
          times: ${rounds}
          steps:
${steps.join("\n")}
`;
}

/** A collection for Newman, which plays it as many times as it is told. */
export function asCollection(url: string): string {
  const item = STEPS.map(({ name, method, path, body, status, members, forms }) => ({
    name,
    request: {
      method,
      url: `${url}${path}`,
      header: [{ key: "content-type", value: "application/json" }],
      ...(body === undefined ? {} : { body: { mode: "raw", raw: json(body) } }),
    },
    event: [
      {
        listen: "test",
        script: {
          exec: [
            `pm.test(${json(name)}, () => {`,
            `pm.expect(pm.response.code).to.equal(${status}); const answer = pm.response.json();`,
            ...Object.entries(members).map(
              ([member, value]) => `pm.expect(answer.${member}).to.equal(${json(value)});`,
            ),
            ...Object.entries(forms).map(
              ([member, form]) => `pm.expect(answer.${member}).to.match(/${form}/);`,
            ),
            "});",
          ],
        },
      },
    ],
  }));
  const schema = "https://schema.getpostman.com/json/collection/v2.1.0/collection.json";
  return json({ info: { name: "same steps", schema }, item });
}

/** A workflow for Step CI. */
export function asWorkflow(url: string, rounds: number): string {
  const steps = Array.from({ length: rounds }, () => STEPS)
    .flat()
    .map(({ name, method, path, body, status, members, forms }) => ({
      name,
      http: {
        url: `${url}${path}`,
        method,
        headers: { "content-type": "application/json" },
        ...(body === undefined ? {} : { body: json(body) }),
        check: {
          status,
          jsonpath: {
            ...Object.fromEntries(Object.entries(members).map(([member, value]) => [`$.${member}`, value])),
            ...Object.fromEntries(
              Object.entries(forms).map(([member, form]) => [`$.${member}`, [{ match: form }]]),
            ),
          },
        },
      },
    }));
  return json({ version: "1.1", name: "same steps", tests: { same: { steps } } });
}

/** A description for Redocly Respect, in Arazzo. */
export function asArazzo(url: string, rounds: number): string {
  const steps = Array.from({ length: rounds }, (_, round) =>
    STEPS.map(({ name, method, path, body, status, members, forms }) => ({
      stepId: `${name}-${round}`,
      "x-operation": { url: `${url}${path}`, method: method.toLowerCase() },
      ...(body === undefined ? {} : { requestBody: { contentType: "application/json", payload: body } }),
      successCriteria: [
        { condition: `$statusCode == ${status}` },
        ...Object.entries(members).map(([member, value]) => ({
          condition: `$response.body#/${member} == ${typeof value === "string" ? `'${value}'` : value}`,
        })),
        ...Object.entries(forms).map(([member, form]) => ({
          context: `$response.body#/${member}`,
          type: "regex",
          condition: form,
        })),
      ],
    })),
  ).flat();
  return json({
    arazzo: "1.0.1",
    info: { title: "same steps", version: "1" },
    sourceDescriptions: [{ name: "service", type: "openapi", url: `${PATHS.contract}/openapi.yaml` }],
    workflows: [{ workflowId: "same", steps }],
  });
}

/** A test file for vitest, which asks by fetch. */
export function asVitest(url: string, rounds: number): string {
  const tests = STEPS.map(({ name, method, path, body, status, members, forms }) => {
    const init = {
      method,
      headers: { "content-type": "application/json" },
      ...(body === undefined ? {} : { body: json(body) }),
    };
    return [
      `  test(${json(name)} + round, async () => {`,
      `    const response = await fetch(${json(url + path)}, ${json(init)});`,
      `    expect(response.status).toBe(${status}); const answer = await response.json();`,
      ...Object.entries(members).map(
        ([member, value]) => `    expect(answer.${member}).toBe(${json(value)});`,
      ),
      ...Object.entries(forms).map(([member, form]) => `    expect(answer.${member}).toMatch(/${form}/);`),
      "  });",
    ].join("\n");
  });
  return `import { expect, test } from "vitest";\nfor (let round = 0; round < ${rounds}; round++) {\n${tests.join("\n")}\n}\n`;
}
