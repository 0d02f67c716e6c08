// Shared code of tests and pictures of the page: Debian's headless chromium with WebGL in software.
import { existsSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

export const source = dirname(dirname(dirname(fileURLToPath(import.meta.url))));

/** A browser, or null with the reason on stderr. */
export async function launchBrowser() {
  const program = [process.env.CHROMIUM, "/usr/bin/chromium", "/usr/bin/chromium-browser", "/usr/bin/google-chrome"].find(
    (path) => path && existsSync(path),
  );
  if (!program) {
    console.error("no browser: install chromium (Debian: apt install chromium) or name one in $CHROMIUM");
    return null;
  }
  let playwright;
  try {
    playwright = createRequire(join(source, "apps/viewer/package.json"))("playwright-core");
  } catch {
    console.error("no playwright-core: run npm ci in apps/viewer");
    return null;
  }
  return playwright.chromium.launch({
    executablePath: program,
    args: ["--no-sandbox", "--use-gl=angle", "--use-angle=swiftshader", "--enable-unsafe-swiftshader"],
  });
}
