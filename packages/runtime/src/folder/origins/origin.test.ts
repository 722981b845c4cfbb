import { execFileSync } from "node:child_process";
import { randomUUID } from "node:crypto";
import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import type { Digest, LoopDef } from "@turnseal/protocol";
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

const loop = { definition: {} as LoopDef, digest: `sha256:${"0".repeat(64)}` as Digest };

test.each(["loops", "origins"])("a note that %s has no place for rejects nothing", async (name) => {
  const full = join(folder, `full-${name}`);
  mkdirSync(full);
  writeFileSync(join(full, name), "a file where the folder would be");
  const problem = await writeOrigin(full, { ...note, from: [], loops: [loop] });
  expect(problem).toMatch(/EEXIST|ENOTDIR/);
  expect((await readOrigin(full, run))?.run).toBe(name === "loops" ? run : undefined);
});

test("nothing but whole notes is left beside the runs", async () => {
  const whole = join(folder, "whole");
  const write = () => writeOrigin(whole, { ...note, from: [], loops: [loop] });
  expect(await Promise.all([write(), write(), write()])).toEqual(Array(3).fill(undefined));
  expect(readdirSync(join(whole, "origins"))).toEqual([`${run}.json`]);
  expect(readdirSync(join(whole, "loops"))).toEqual([`${"0".repeat(64)}.json`]);
});

test("more notes than files may be open are all listed", { timeout: 30_000 }, () => {
  const many = join(folder, "many");
  mkdirSync(join(many, "origins"), { recursive: true });
  const text = JSON.stringify({ ...note, startedAt: "now", from: [] });
  for (let count = 0; count < 600; count++)
    writeFileSync(join(many, "origins", `${randomUUID()}.json`), text);
  const source = new URL("./origin.ts", import.meta.url).href;
  const script = `const { listOrigins } = await import(${JSON.stringify(source)});
    console.log((await listOrigins(${JSON.stringify(many)})).length);`;
  const command = 'ulimit -n 128 && exec "$0" "$@"';
  const args = ["--conditions=turnseal-source", "--input-type=module", "-e", script];
  const listed = execFileSync("bash", ["-c", command, process.execPath, ...args]);
  expect(String(listed).trim()).toBe("600");
});
