import type { Connection } from "../../adapters/adapter.ts";

/** Opens so many connections. @throws what the first throws that cannot be opened; then none of them is open */
export async function connectAll(
  connect: () => Promise<Connection>,
  count: number,
): Promise<readonly Connection[]> {
  const opened = await Promise.allSettled(Array.from({ length: count }, connect));
  const connections = opened.flatMap((one) => (one.status === "fulfilled" ? [one.value] : []));
  const failed = opened.find((one) => one.status === "rejected");
  if (failed === undefined) return connections;
  await Promise.all(connections.map((connection) => connection.close()));
  throw failed.reason;
}
