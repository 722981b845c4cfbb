/**
 * The page of `useChat` in a real browser, with the server that it is started with. A text comes
 * word by word. A reload in the middle neither repeats nor loses text. An approval is decided here
 * or in another tab, and stop stops. Without Chromium this fails.
 */
import { type ChildProcess, spawn } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
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
const folder = mkdtempSync(join(tmpdir(), "turnseal-use-chat-"));
/** The folder for a picture of the page, if wanted. */
const pictures = process.env["CHAT_PICTURES"];

beforeAll(async () => {
  const [port, serverPort] = [await findFreePort(), await findFreePort()];
  url = `http://127.0.0.1:${port}/`;
  server = spawn(
    process.execPath,
    ["--conditions=turnseal-source", "examples/use-chat/serve-page.ts"],
    {
      cwd: repositoryRoot,
      stdio: ["ignore", "pipe", "inherit"],
      env: {
        PATH: process.env["PATH"],
        CHAT_PORT: String(port),
        CHAT_SERVER_PORT: String(serverPort),
        CHAT_STORE: join(folder, "store"),
        CHAT_PAGE: join(folder, "page"),
        CHAT_PACE_MS: "30",
      },
    },
  );
  await new Promise<void>((resolve) => {
    server.stdout?.on("data", (text) => {
      if (String(text).includes("Press Ctrl-C to stop")) resolve();
    });
  });
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
  const context = await browser.newContext({ viewport: { width: 900, height: 700 } });
  page = await context.newPage();
  page.setDefaultTimeout(30_000);
  await page.goto(url);
});

async function say(text: string): Promise<void> {
  await page.getByLabel("Message").fill(text);
  await page.getByRole("button", { name: "Send" }).click();
}
const answer = () => page.locator(".assistant").last();
const isReady = (on: Page = page) => on.locator("[data-status=ready]").waitFor();
async function picture(name: string): Promise<void> {
  if (pictures !== undefined) await page.screenshot({ path: join(pictures, `${name}.png`) });
}

test("an answer comes word by word, and a reload neither repeats nor leaves out", async () => {
  await say("Hello");
  await page.locator(".assistant[data-state=streaming]").waitFor();
  await expect.poll(() => answer().textContent()).toMatch(/^Hello! I can tell/);
  const before = (await answer().textContent()) ?? "";
  await page.reload();
  await page.locator(".assistant[data-state=streaming]").waitFor();
  await expect.poll(async () => (await answer().textContent())?.startsWith(before)).toBe(true);
  await page.locator(".assistant[data-state=done]").waitFor();
  await isReady();
  expect(await page.locator(".assistant").allTextContents()).toEqual([
    expect.stringMatching(/^Hello! I can tell.*from the word where I was\.$/),
  ]);
  expect(await page.locator(".user").allTextContents()).toEqual(["Hello"]);
  expect(await page.locator(".receipt").count()).toBe(1);
});

test("an approval survives a reload, is decided in another tab, and counts once", async () => {
  await say("I want my money back for A-17");
  await page.locator(".tool.approval-requested").waitFor();
  await page.reload();
  await page.locator(".tool.approval-requested").waitFor();
  await picture("use-chat-asked");
  const other = await page.context().newPage();
  await other.goto(page.url());
  await other.getByRole("button", { name: "Approve" }).click();
  await other.getByText("Order A-17 is paid back").waitFor();
  // This tab still asks: its answer does not count, and it learns the current state.
  await page.getByRole("button", { name: "Reject" }).click();
  await page.getByText("Order A-17 is paid back").waitFor();
  await isReady();
  for (const tab of [page, other])
    expect(await tab.locator(".tool.output-available").count()).toBe(2);
  expect(await page.locator(".assistant").count()).toBe(1);
  await picture("use-chat-paid");
});

test("stop stops, and the chat goes on with the next message", async () => {
  await say("Hello");
  await page.locator(".assistant[data-state=streaming]").waitFor();
  await page.getByRole("button", { name: "Stop" }).click();
  await page.getByText("You stopped the answer.").waitFor();
  await isReady();
  expect(await page.locator(".assistant").count()).toBe(0);
  await say("Where is A-17?");
  await page.getByText("Order A-17 is in Graz").waitFor();
  await isReady();
});
