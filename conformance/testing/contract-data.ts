import { loadResponseSchemas } from "../contract/judge/response-schemas.ts";
import { loadContract } from "../engine/rule-book.ts";
import { PATHS } from "../paths.ts";

/** The contract's own data, read once for each test file. */
export const contract = loadContract(PATHS.contract);
export const schemas = loadResponseSchemas(PATHS.openapi);
