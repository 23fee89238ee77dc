import { partnerPreview } from "../contract/partner-preview.ts";

/** The contract, its data read once for each test file. */
export const contract = partnerPreview();
