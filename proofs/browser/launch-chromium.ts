import { existsSync } from "node:fs";
import { type Browser, chromium } from "playwright-core";

const places = ["/usr/bin/chromium", "/usr/bin/chromium-browser", "/usr/bin/google-chrome"];

/** Starts the installed Chromium, with a profile of its own and without any traffic of its own. */
export async function launchChromium(
  environment: Readonly<Record<string, string | undefined>>,
): Promise<Browser> {
  const executablePath = environment["CHROMIUM_PATH"] ?? places.find(existsSync);
  if (executablePath === undefined)
    throw new Error("Chromium is not installed: apt-get install chromium, or set CHROMIUM_PATH");
  return chromium.launch({
    executablePath,
    args: [
      // The tests may run as root, for whom Chromium has no sandbox.
      "--no-sandbox",
      "--disable-background-networking",
      "--disable-component-update",
      "--disable-sync",
      "--no-first-run",
    ],
  });
}
