/**
 * The chat example in a real browser, with the server that it is started with. A text comes word by
 * word. A reload in the middle neither repeats nor loses text. A person gets the question in place,
 * and stop stops. Without Chromium this fails.
 */
import { type ChildProcess, spawn } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { findFreePort } from "@turnseal/runtime/engine";
import type { Browser, Locator, Page } from "playwright-core";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { repositoryRoot } from "../../tools/tidy/tree.ts";
import { launchChromium } from "./launch-chromium.ts";

let browser: Browser;
let page: Page;
let server: ChildProcess;
let url = "";
const store = mkdtempSync(join(tmpdir(), "turnseal-chat-"));
/** The folder for a picture of the page, if wanted. */
const pictures = process.env["CHAT_PICTURES"];

beforeAll(async () => {
  const [port, serverPort] = [await findFreePort(), await findFreePort()];
  url = `http://127.0.0.1:${port}/`;
  server = spawn(
    process.execPath,
    ["--conditions=turnseal-source", "examples/chat/serve-chat.ts"],
    {
      cwd: repositoryRoot,
      stdio: ["ignore", "pipe", "inherit"],
      env: {
        PATH: process.env["PATH"],
        CHAT_PORT: String(port),
        CHAT_SERVER_PORT: String(serverPort),
        CHAT_STORE: store,
        CHAT_PACE_MS: "40",
      },
    },
  );
  await hear(server, "Press Ctrl-C to stop");
  browser = await launchChromium(process.env);
}, 120_000);

afterAll(async () => {
  await browser?.close();
  server?.kill("SIGTERM");
  if (server?.exitCode === null) await new Promise((resolve) => server.once("exit", resolve));
  rmSync(store, { recursive: true, force: true });
});

beforeEach(async () => {
  await page?.context().close();
  const context = await browser.newContext({ viewport: { width: 900, height: 700 } });
  page = await context.newPage();
  page.setDefaultTimeout(30_000);
  await page.goto(url);
});

const answer = (): Locator => page.locator(".assistant").last();
const whole = (): Locator => page.locator(".assistant.whole").last();

async function say(text: string): Promise<void> {
  await page.getByLabel("Message").fill(text);
  await page.getByRole("button", { name: "Send" }).click();
}

async function picture(name: string): Promise<void> {
  if (pictures !== undefined) await page.screenshot({ path: join(pictures, `${name}.png`) });
}

describe("an answer", () => {
  test("comes word by word, and a reload neither repeats nor leaves out", async () => {
    await say("Hello");
    await page.locator(".assistant.partial").waitFor();
    await expect.poll(() => answer().textContent()).toMatch(/^Hello! I can tell/);
    const before = (await answer().textContent()) ?? "";
    await picture("streaming");
    await page.reload();
    await page.locator(".assistant.partial").waitFor();
    const after = (await answer().textContent()) ?? "";
    expect(after.startsWith(before)).toBe(true);
    await whole().waitFor();
    const text = (await whole().textContent()) ?? "";
    expect(text.startsWith(after)).toBe(true);
    expect(text).toMatch(/^Hello! I can tell.*from the word where I was\.$/);
    expect(await page.locator(".assistant").count()).toBe(1);
    expect(await page.locator(".user").allTextContents()).toEqual(["Hello"]);
  });

  test("is stopped by the person who waits for it", async () => {
    await say("Hello");
    await page.locator(".assistant.partial").waitFor();
    await page.getByRole("button", { name: "Stop" }).click();
    await page.getByText("You stopped the answer.").waitFor();
    expect(await page.locator(".assistant.partial").count()).toBe(0);
    await picture("stopped");
  });

  test("shows what somebody wrote as text, and runs none of it", async () => {
    await say('<img src=x onerror="document.title = 1"> <script>document.title = 2</script>');
    await page.locator(".user").waitFor();
    expect(await page.locator(".user img, .user script").count()).toBe(0);
    expect(await page.title()).toBe("Support");
  });
});

describe("a payment", () => {
  test("waits for a person, also on a page that is loaded again, and is made once", async () => {
    await say("I want my money back for A-17");
    await page.locator(".tool.pending_approval").waitFor();
    await picture("asked");
    await page.reload();
    await page.getByRole("button", { name: "Approve" }).click();
    await whole().waitFor();
    expect(await whole().textContent()).toBe(
      "Order A-17 is paid back: 42.00 are on their way to you.",
    );
    expect(await page.locator(".tool.done .title").allTextContents()).toEqual([
      "lookupdone",
      "refunddone",
    ]);
    await picture("paid");
  });

  test("that is rejected in another tab is rejected in this one, too", async () => {
    await say("I want my money back for B-4");
    await page.locator(".tool.pending_approval").waitFor();
    const other = await page.context().newPage();
    await other.goto(page.url());
    await other.getByRole("button", { name: "Reject" }).click();
    await page.locator(".tool.rejected").waitFor();
    expect(await page.locator(".tool.pending_approval").count()).toBe(0);
  });
});

test("a chat goes on with the next message, and stays at its address", async () => {
  await say("I ordered A-17 and C-3. Where is the first one?");
  await whole().waitFor();
  await say("And the second one?");
  await page.getByText("Order C-3 is in Graz").waitFor();
  const again = await page.context().newPage();
  await again.goto(page.url());
  await again.getByText("Order C-3 is in Graz").waitFor();
  expect(await again.locator(".user").allTextContents()).toEqual([
    "I ordered A-17 and C-3. Where is the first one?",
    "And the second one?",
  ]);
  await picture("talked");
});

/** A red square of 32 pixels, as a browser would make one. */
const square =
  "iVBORw0KGgoAAAANSUhEUgAAACAAAAAgCAIAAAD8GO2jAAAAKklEQVR42mO4YGBAU8QwasGoBaMWjFow" +
  "asGoBaMWjFowasGoBaMWDBULADxQwD12ZGFVAAAAAElFTkSuQmCC";

describe("files", () => {
  const png = { name: "dent.png", mimeType: "image/png", buffer: Buffer.from(square, "base64") };
  const pdf = { name: "bill.pdf", mimeType: "application/pdf", buffer: Buffer.from("%PDF-1.7\n") };
  const widthOf = (image: Locator): Promise<number> =>
    image.evaluate((element) => (element as unknown as { naturalWidth: number }).naturalWidth);

  test("are shown or named, seen by the model, and there again after a reload", async () => {
    await page.getByLabel("Files").setInputFiles([png, pdf]);
    await say("It came with a dent");
    await page.getByText("Thank you, I have got dent.png and bill.pdf.").waitFor();
    const image = page.locator(".user img");
    await expect.poll(() => widthOf(image)).toBe(32);
    expect(await page.locator(".user .file").last().textContent()).toBe("bill.pdf (9 bytes)");
    await page.getByLabel("Files").setInputFiles([{ ...png, name: "again.png" }]);
    await say("And once more");
    await page.getByText("Thank you, I have got again.png.").waitFor();
    await page.reload();
    await expect.poll(() => page.locator(".user img").count()).toBe(2);
    await expect.poll(() => widthOf(page.locator(".user img").last())).toBe(32);
    await picture("files");
  });

  test("that are not what they say are not sent", async () => {
    const lie = { ...png, buffer: Buffer.from("<!doctype html><script>1</script>") };
    await page.getByLabel("Files").setInputFiles([lie]);
    await say("Look");
    await page.getByText("dent.png is not accepted").waitFor();
    expect(await page.locator(".user").count()).toBe(0);
  });
});

/** Waits until the process has printed something. */
function hear({ stdout }: ChildProcess, words: string): Promise<void> {
  return new Promise((resolve, reject) => {
    let text = "";
    stdout?.on("data", (chunk) => {
      text += String(chunk);
      if (text.includes(words)) resolve();
    });
    stdout?.on("end", () => reject(new Error(`it ended with ${text}`)));
  });
}
