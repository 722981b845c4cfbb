import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Readable } from "node:stream";
import { afterAll, beforeAll, expect, test } from "vitest";
import { readDocument } from "./read-document.ts";
import { FILE_BYTES_MAX, readStream, readText } from "./read-text.ts";

let root = "";
beforeAll(() => {
  root = mkdtempSync(join(tmpdir(), "turnseal-read-"));
});
afterAll(() => rmSync(root, { recursive: true }));

function write(name: string, content: string | Uint8Array): string {
  const file = join(root, name);
  writeFileSync(file, content);
  return file;
}

test("reads a file of FILE_BYTES_MAX bytes, and refuses one of a byte more", async () => {
  const text = "x".repeat(FILE_BYTES_MAX);
  expect(await readText(write("full", text))).toEqual({ kind: "read", text });
  expect(await readText(write("over", `${text}x`))).toMatchObject({ rule: "document-size" });
});

test("stops reading a stream that does not end", async () => {
  const endless = Readable.from(
    (function* () {
      for (;;) yield Buffer.alloc(FILE_BYTES_MAX / 4);
    })(),
  );
  expect(await readStream(endless)).toMatchObject({ kind: "refused", rule: "document-size" });
});

test("drops the mark that some editors write first, and refuses what is not UTF-8", async () => {
  expect(await readText(write("bom", "\ufeff{}"))).toEqual({ kind: "read", text: "{}" });
  expect(await readText(write("latin", Uint8Array.of(0x22, 0xe4, 0x22)))).toMatchObject({
    rule: "json",
    message: "not UTF-8",
  });
});

test("reports a file that cannot be read as file-unreadable", async () => {
  expect(await readText(root)).toMatchObject({ rule: "file-unreadable" });
});

test("a document is its value with places, or one finding", async () => {
  const read = await readDocument(write("good.json", '{\n "a": 1 }'));
  expect(read.findings).toEqual([]);
  expect(read.sources[0]?.document).toEqual({ a: 1 });
  expect(read.sources[0]?.locate?.("/a")).toEqual({ line: 2, column: 2 });
  const bad = await readDocument(write("bad.json", "{\n 1 }"));
  expect(bad.sources).toEqual([]);
  expect(bad.findings).toMatchObject([{ rule: "json", position: { line: 2, column: 2 } }]);
});
