// Answers a call with a line of 100 MB.
import { serveLines } from "./serve-lines.mjs";

const megabyte = "x".repeat(1_000_000);
serveLines(() => {
  for (let count = 0; count < 100; count += 1) process.stdout.write(megabyte);
});
