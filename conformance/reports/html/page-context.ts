import type { ReportContext } from "../context.ts";

/** What the page of a report needs beside the report. */
export type PageContext = Pick<ReportContext, "contract" | "operationOf" | "invocation" | "replay">;
