import type { ReportContext } from "../view.ts";

/** What the page of a report needs beside the report. */
export type PageContext = Pick<ReportContext, "contract" | "operationOf" | "invocation" | "replay">;
