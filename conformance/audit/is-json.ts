/** Whether a body is JSON. */
export function isJson(body: string | Uint8Array): boolean {
  try {
    JSON.parse(Buffer.from(body).toString());
    return true;
  } catch {
    return false;
  }
}
