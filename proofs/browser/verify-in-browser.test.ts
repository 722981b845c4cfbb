/**
 * Receipts are verified in a real browser, by the code that is published, without a server and
 * without Node.
 *
 * The page comes from an address that is answered here: WebCrypto is there for https only. Without
 * Chromium this fails.
 */
import { readFileSync } from "node:fs";
import { type RunVerdict, verifyBundle, verifyTree } from "@turnseal/protocol/receipts";
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { readVectors } from "../tamper/read-runs.ts";
import { bundleReceipts } from "./bundle-receipts.ts";
import { launchChromium } from "./launch-chromium.ts";

let browser: Browser;
let page: Page;

beforeAll(async () => {
  browser = await launchChromium(process.env);
  page = await browser.newPage();
  const script = await bundleReceipts();
  await page.route("**/*", (route) =>
    route.fulfill({ contentType: "text/html", body: "<!doctype html><title>verify</title>" }),
  );
  await page.goto("https://verify.test/");
  await page.addScriptTag({ content: script });
}, 60_000);

afterAll(() => browser?.close());

function verifyInPage(input: object): Promise<RunVerdict> {
  return page.evaluate(
    ({ bundle, ...trust }) => Reflect.get(globalThis, "receipts").verifyBundle(bundle, trust),
    input as { bundle: unknown },
  );
}

test("the page is a browser's: it has WebCrypto, and nothing of Node", async () => {
  const seen = await page.evaluate(() => [
    typeof globalThis.crypto.subtle.verify,
    typeof Reflect.get(globalThis, "process"),
    typeof Reflect.get(globalThis, "require"),
  ]);
  expect(seen).toEqual(["function", "undefined", "undefined"]);
});

describe.each([
  "valid-runs",
  "unsealed-runs",
  "spoiled-receipts",
  "spoiled-events",
  "broken-budgets",
  "governed-runs",
  "approved-runs",
  "../receipt-conduct/broken-approvals",
  "../receipt-conduct/broken-conduct",
  "../receipt-conduct/broken-grants",
  "../receipt-conduct/broken-groups",
  "../receipt-conduct/broken-items",
  "../receipt-conduct/broken-rollbacks",
  "../receipt-conduct/broken-separation",
])("%s", (file) => {
  test("every vector has the verdict that it has in Node", async () => {
    for (const { name, input, expect: expected } of readVectors(file)) {
      const { bundle, ...trust } = input;
      const verdict = await verifyInPage(input);
      expect(verdict.valid, name).toBe(expected.valid);
      expect(verdict.verdict, name).toBe(expected.verdict);
      expect(verdict, name).toEqual(await verifyBundle(bundle, trust));
    }
  });
});

test("every tree has the verdict that it has in Node", async () => {
  const file = new URL("../../spec/vectors/receipt-set/handoffs.json", import.meta.url);
  for (const { name, input, expect: expected } of JSON.parse(readFileSync(file, "utf8"))) {
    const { tree, ...trust } = input;
    const verdict = await page.evaluate(
      ({ tree: runs, ...options }) => Reflect.get(globalThis, "receipts").verifyTree(runs, options),
      input,
    );
    expect(verdict.verdict, name).toBe(expected.verdict);
    expect(verdict, name).toEqual(await verifyTree(tree, trust));
  }
});

test("one flipped bit of a signature is seen", async () => {
  const [vector] = readVectors("valid-runs");
  const [receipt = ""] = vector?.input.bundle.receipts ?? [];
  const { payload, payloadType, signatures } = JSON.parse(receipt);
  const sig = Buffer.from(signatures[0].sig, "base64");
  sig[0] = (sig[0] ?? 0) ^ 1;
  const changed = {
    payload,
    payloadType,
    signatures: [{ ...signatures[0], sig: sig.toString("base64") }],
  };
  const bundle = { ...vector?.input.bundle, receipts: [JSON.stringify(changed)] };
  const { findings } = await verifyInPage({ ...vector?.input, bundle });
  expect(findings[0]?.code).toBe("SIGNATURE_INVALID");
});

test("without Chromium there is an error, not a test that is left out", async () => {
  await expect(launchChromium({ CHROMIUM_PATH: "/nowhere/chromium" })).rejects.toThrow();
});
