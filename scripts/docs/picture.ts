import { spawnSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { PATHS } from "../../legacy/paths.ts";
import { startBrowser } from "../../legacy/testing/browser.ts";
import { SHOWN_SERVICE } from "./shown-service.ts";
import { makeWorkspace } from "./workspace.ts";

const PICTURE = join(PATHS.root, "docs", "report.webp");
const SIZE = { width: 1100, height: 820 };

/** Judges the broken service by the command line, and takes a picture of the page that tells of it. */
export async function takePicture(): Promise<void> {
  const workspace = makeWorkspace(SHOWN_SERVICE);
  const browser = await startBrowser();
  try {
    const kit = join(PATHS.root, "bin/launch-draft-conformance.mjs");
    const words = [kit, "run", "--module", "./service.ts", "--reporter", "html=report.html"];
    const { status, stderr } = spawnSync(process.execPath, words, {
      cwd: workspace.folder,
      encoding: "utf8",
    });
    if (status !== 1) throw new Error(`the run ended with ${status}: ${stderr}`);
    const page = await browser.newPage({ viewport: SIZE, colorScheme: "light", deviceScaleFactor: 1.5 });
    await page.goto(pathToFileURL(join(workspace.folder, "report.html")).href);
    const session = await page.context().newCDPSession(page);
    const { data } = await session.send("Page.captureScreenshot", { format: "webp", quality: 80 });
    writeFileSync(PICTURE, Buffer.from(data, "base64"));
  } finally {
    await browser.close();
    workspace.remove();
  }
}
