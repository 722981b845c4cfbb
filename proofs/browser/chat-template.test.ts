/**
 * The page of the chat template in a real browser: an approval that is decided elsewhere, a denial
 * that comes too late, and the end of the budget. Without Chromium this fails.
 */
import { type ChildProcess, spawn } from "node:child_process";
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { findFreePort } from "@turnseal/runtime/engine";
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { repositoryRoot } from "../../tools/tidy/tree.ts";
import { launchChromium } from "./launch-chromium.ts";

let browser: Browser;
let page: Page;
let server: ChildProcess;
let url = "";
// In the repository, so that its imports are found.
mkdirSync(join(repositoryRoot, ".turnseal"), { recursive: true });
const folder = mkdtempSync(join(repositoryRoot, ".turnseal/chat-page-"));
/** The folder for a picture of the page, if wanted. */
const pictures = process.env["CHAT_PICTURES"];
const own = { PATH: process.env["PATH"] };

beforeAll(async () => {
  cpSync(join(repositoryRoot, "templates/chat"), folder, { recursive: true });
  const agents = readFileSync(join(folder, "agents.ts"), "utf8");
  writeFileSync(join(folder, "agents.ts"), agents.replace("modelCalls: 200", "modelCalls: 5"));
  const { build } = await import("vite");
  const conditions = ["turnseal-source", "browser", "module", "default"];
  await build({ root: join(folder, "page"), logLevel: "silent", resolve: { conditions } });
  const port = await findFreePort();
  url = `http://127.0.0.1:${port}/`;
  server = spawn(process.execPath, ["--conditions=turnseal-source", "server.ts"], {
    ...{ cwd: folder, env: { ...own, PORT: String(port) } },
    stdio: ["ignore", "pipe", "inherit"],
  });
  await new Promise((resolve) => server.stdout?.once("data", resolve));
  browser = await launchChromium(process.env);
}, 120_000);

afterAll(async () => {
  await browser?.close();
  server?.kill("SIGTERM");
  if (server?.exitCode === null) await new Promise((resolve) => server.once("exit", resolve));
  rmSync(folder, { recursive: true, force: true });
});

beforeEach(async () => {
  await page?.context().close();
  page = await (await browser.newContext({ viewport: { width: 700, height: 600 } })).newPage();
  page.setDefaultTimeout(30_000);
  await page.goto(url);
});

async function say(text: string): Promise<void> {
  await page.getByLabel("Message").fill(text);
  await page.getByRole("button", { name: "Send" }).click();
}
async function picture(name: string): Promise<void> {
  if (pictures !== undefined) await page.screenshot({ path: join(pictures, `${name}.png`) });
}
const askForTable = async () => {
  await say("a table for 4 at 20:00");
  await page.getByRole("button", { name: "Approve" }).waitFor();
};
const openOther = async (): Promise<Page> => {
  const other = await page.context().newPage();
  await other.goto(page.url());
  await other.getByRole("button", { name: "Approve" }).waitFor();
  return other;
};

test("an approval that the command gives reaches a page that is open", async () => {
  await askForTable();
  const command = join(repositoryRoot, "apps/cli/bin/turnseal.js");
  const approving = spawn(process.execPath, [command, "approve", "last"], {
    ...{ cwd: folder, env: { ...own, USER: "ada" }, stdio: "inherit" },
  });
  expect(await new Promise((resolve) => approving.once("exit", resolve))).toBe(0);
  await page.getByText("Done: 4 people at 20:00").waitFor();
  expect(await page.getByRole("button", { name: "Approve" }).count()).toBe(0);
  expect(await page.locator(".assistant").allTextContents()).toHaveLength(1);
});

test("what one tab decides the other shows, and a denial after it is said to be late", async () => {
  await askForTable();
  const other = await openOther();
  // This tab hears of nothing: it still asks when its person denies.
  await page.route("**/v1/runs/*", (route) => route.abort());
  await other.getByRole("button", { name: "Approve" }).click();
  await other.getByText("Done: 4 people").waitFor();
  await page.getByRole("button", { name: "Deny" }).click();
  await page.getByText("Your decision came too late: this was approved by").waitFor();
  await picture("chat-late");
  await page.getByText("Done: 4 people").waitFor();
});

test("at the end of its budget the page says so, and leads to a new chat", async () => {
  for (const text of ["a", "b", "c", "d", "e"]) {
    await say(text);
    await expect.poll(() => page.getByRole("button", { name: "Send" }).count()).toBe(1);
  }
  if (await page.getByLabel("Message").isEnabled()) await say("f");
  await page.getByText("This chat has ended.").waitFor();
  await picture("chat-ended");
  expect(await page.getByLabel("Message").isDisabled()).toBe(true);
  expect(await page.getByRole("button", { name: "Try again" }).count()).toBe(0);
  expect(await page.locator("main").textContent()).not.toMatch(/[A-Z]+_[A-Z]+/);
  await page.reload();
  await page.getByText("This chat has ended.").waitFor();
  await page.getByRole("button", { name: "Begin a new one" }).click();
  await expect.poll(() => page.getByLabel("Message").isEnabled()).toBe(true);
  expect(await page.locator(".user").count()).toBe(0);
});
