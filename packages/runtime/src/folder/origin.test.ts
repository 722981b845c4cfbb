import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { afterAll, expect, test } from "vitest";
import { listOrigins, readOrigin, writeOrigin } from "./origin.ts";

const folder = mkdtempSync(join(tmpdir(), "turnseal-origin-"));
afterAll(() => rmSync(folder, { recursive: true }));

const run = "2f1d9a52-8f3a-4c0e-9b7d-0d5f0a1b2c3d";
const note = { run, loop: "refund", version: "1.0.0" };

test("a note is read back with paths that lead to the same files", async () => {
  await writeOrigin(folder, { ...note, from: ["loops/refund.ts", "/elsewhere"] });
  expect(await readOrigin(folder, run)).toMatchObject({
    ...note,
    from: [resolve("loops/refund.ts"), "/elsewhere"],
  });
});

test("the files of its rules are read back as well, and only texts are files", async () => {
  const other = "3a6b2d1c-8f3a-4c0e-9b7d-0d5f0a1b2c3d";
  const files = { policy: "refunds.toml", shadow: "/strict.toml" };
  await writeOrigin(folder, { ...note, run: other, from: [], ...files });
  expect(await readOrigin(folder, other)).toMatchObject({
    policy: resolve("refunds.toml"),
    shadow: "/strict.toml",
  });
  const file = join(folder, "origins", `${other}.json`);
  writeFileSync(file, JSON.stringify({ ...note, startedAt: "now", from: [], policy: 1 }));
  expect(await readOrigin(folder, other)).toBeUndefined();
});

test("the first note of a run stays", async () => {
  await writeOrigin(folder, { ...note, from: ["other.ts"] });
  expect((await readOrigin(folder, run))?.from).not.toContain(resolve("other.ts"));
});

test("what is not a note is passed over", async () => {
  const others = ["{", "null", '{"run":1}', '{"run":"a","loop":"b","version":"c","startedAt":"d"}'];
  for (const [index, text] of others.entries()) {
    writeFileSync(
      join(folder, "origins", `7c3e1d40-52aa-4d1f-8a6b-91e0c4b7f2a${index}.json`),
      text,
    );
  }
  writeFileSync(join(folder, "origins", "notes.txt"), "hello");
  expect((await listOrigins(folder)).map((origin) => origin.run)).toEqual([run]);
  expect(await readOrigin(folder, "missing")).toBeUndefined();
});

test("a folder without notes has none", async () => {
  expect(await listOrigins(join(folder, "nothing"))).toEqual([]);
});
