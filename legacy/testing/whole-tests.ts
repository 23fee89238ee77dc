/**
 * Whether tests that try many like cases try them all, as each night (`npm run test:whole`). `npm test` tries a sample, so
 * that it is over within a minute.
 */
export const WHOLE = process.env["WHOLE_TESTS"] === "1";
