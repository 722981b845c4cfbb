import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { isPackPath, parsePack, renderPack } from "./evidence-pack.ts";
import {
  findExcess,
  isPack,
  PACK_BYTES_MAX,
  PACK_FILES_MAX,
  readPack,
  writePack,
} from "./pack-folder.ts";
import { verifyExport } from "./read-export.ts";

const root = mkdtempSync(join(tmpdir(), "turnseal-pack-"));
afterAll(() => rmSync(root, { recursive: true }));

const digest = `hmac-sha256:${"0".repeat(64)}`;
const packed = {
  run: "7d0a3a5e-51c5-4c4f-8f39-8f0f6b1f2a3b",
  keys: [{ keyId: "k" }],
  events: [
    { b: 1, a: [2] },
    { c: "ü", input: { digest, size: 2, mediaType: "text/plain" } },
  ],
  receipts: ["{}"],
  content: { key: "AAAA", blobs: { [digest]: "aGk=" } },
};

test("what is packed is what is read", () => {
  expect(parsePack(renderPack(packed))).toEqual({ kind: "parsed", packed });
  const { content: _, ...bare } = packed;
  expect(parsePack(renderPack(bare))).toEqual({ kind: "parsed", packed: bare });
});

test("artifacts are those that events name: no other, and none less", () => {
  const other = `hmac-sha256:${"1".repeat(64)}`;
  const more = {
    ...packed,
    content: { key: "AAAA", blobs: { [digest]: "aGk=", [other]: "aGk=" } },
  };
  expect(parsePack(renderPack(more))).toMatchObject({
    ...{ kind: "refused", message: `artifacts/${"1".repeat(64)} is named by no event` },
  });
  const less = { ...packed, content: { key: "AAAA", blobs: {} } };
  expect(parsePack(renderPack(less))).toMatchObject({
    ...{
      kind: "refused",
      message: `artifacts/${"0".repeat(64)} is named by an event, and missing`,
    },
  });
});

test("a pack that has no canonical form is refused", () => {
  const files = new Map(renderPack(packed));
  const keys = new TextEncoder().encode('["\\ud800"]\n');
  files.set("keys.json", keys);
  const sum = createHash("sha256").update(keys).digest("hex");
  const sums = new TextDecoder().decode(files.get("sha256sums"));
  const changed = sums.replace(/^[0-9a-f]{64} {2}keys\.json$/m, `${sum}  keys.json`);
  files.set("sha256sums", new TextEncoder().encode(changed));
  expect(parsePack(files)).toEqual({
    ...{ kind: "refused", message: "its files are not those of an evidence pack" },
  });
});

test("a pack of PACK_FILES_MAX files and PACK_BYTES_MAX bytes is read, and no larger one", () => {
  expect(findExcess({ files: PACK_FILES_MAX, bytes: PACK_BYTES_MAX })).toBeUndefined();
  expect(findExcess({ files: PACK_FILES_MAX + 1, bytes: 1 })).toContain("more than");
  expect(findExcess({ files: 1, bytes: PACK_BYTES_MAX + 1 })).toContain("larger than");
});

test("only paths of a pack are paths of a pack", () => {
  expect(isPackPath("events.ndjson")).toBe(true);
  expect(isPackPath(`artifacts/${"a".repeat(64)}`)).toBe(true);
  const others = ["", "..", "../events.ndjson", "/events.ndjson", "artifacts", "artifacts/", "a/b"];
  for (const path of [...others, `artifacts/${"A".repeat(64)}`, `artifacts/../${"a".repeat(64)}`])
    expect([path, isPackPath(path)]).toEqual([path, false]);
});

test.each([
  ["sha256sums", ""],
  ["sha256sums", "no line\n"],
  ["events.ndjson", "{\n"],
  ["manifest.json", "[]\n"],
  ["receipts.ndjson", "{}\n"],
])("a pack whose %s is %j is refused", (path, text) => {
  const files = new Map(renderPack(packed));
  files.set(path, new TextEncoder().encode(text));
  expect(parsePack(files).kind).toBe("refused");
});

test("what leads elsewhere, and what never ends, is no file of a pack", async () => {
  const folder = join(root, "strange");
  mkdirSync(folder);
  writeFileSync(join(root, "elsewhere"), "secret");
  for (const make of [
    (path: string) => symlinkSync(join(root, "elsewhere"), path),
    (path: string) => execFileSync("mkfifo", [path]),
  ]) {
    make(join(folder, "sha256sums"));
    expect(await readPack(folder)).toEqual({
      ...{ kind: "refused", message: "sha256sums is not a file" },
    });
    rmSync(join(folder, "sha256sums"));
  }
});

test("what was read is verified, whatever has become of the folder", async () => {
  const folder = join(root, "gone");
  await writePack(folder, renderPack(packed));
  const read = await readPack(folder);
  rmSync(folder, { recursive: true });
  if (read.kind !== "parsed") return expect.unreachable(read.message);
  const verified = await verifyExport(folder, read.packed, { store: join(root, "none") });
  expect(verified).toMatchObject({ kind: "read", exported: { verdict: { valid: false } } });
});

test("a folder in a pack, and one that is none, are refused", async () => {
  const folder = join(root, "pack");
  mkdirSync(join(folder, "events.ndjson"), { recursive: true });
  expect(isPack(folder)).toBe(false);
  writeFileSync(join(folder, "sha256sums"), "");
  expect(isPack(folder)).toBe(true);
  expect(await readPack(folder)).toEqual({
    ...{ kind: "refused", message: "events.ndjson is not a file" },
  });
});
