import { spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import type { ProxyUnderLoad } from "./proxy-load.ts";

/**
 * Starts the kit's proxy in a process of its own.
 * @param words the program, as arguments of Node
 */
export async function startProxy(
  words: readonly string[],
  serviceUrl: string,
  options: readonly string[],
): Promise<ProxyUnderLoad & { readonly status: () => number | null }> {
  const child = spawn(process.execPath, [...words, "proxy", "--url", serviceUrl, ...options], {
    stdio: ["ignore", "ignore", "pipe"],
  });
  const closed = once(child, "close");
  const lines: string[] = [];
  const reader = createInterface({ input: child.stderr });
  reader.on("line", (line) => lines.push(line));
  await Promise.race([once(reader, "line"), closed]);
  const [url] = lines[0]?.split(" ") ?? [];
  if (url === undefined || !URL.canParse(url))
    throw new Error(`the proxy did not start: ${lines.join("\n")}`);
  return {
    url,
    status: () => child.exitCode,
    async end() {
      child.kill("SIGINT");
      await closed;
      return lines.join("\n");
    },
  };
}
