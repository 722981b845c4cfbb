import { type ChildProcess, fork } from "node:child_process";
import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { valueStateContract } from "@turnseal/ports/contracts";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { DRAFT_MS_MAX } from "../old-drafts.ts";
import { folderValues } from "./folder-values.ts";
import { FOLDER_VALUES_BYTES_MAX, GENERATION_COMMITS_MAX } from "./held-values.ts";

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "turnseal-values-"));
});
afterEach(() => rmSync(folder, { recursive: true }));

const open = (tenant = "acme") => folderValues({ folder, tenant });

describe("values in a folder keep the contract", () => {
  const create = () => ({ values: open(), other: open(), stranger: open("other") });
  for (const { name, run } of valueStateContract({ create })) test(name, run);
});

test("a tenant that is no name is refused", () => {
  for (const tenant of ["", "..", "a/b", "A"]) expect(() => open(tenant)).toThrow(RangeError);
});

test("files and folders are for their owner alone", async () => {
  await open().set("a", 1);
  await open().append("log", 1);
  for (const name of readdirSync(folder, { recursive: true })) {
    const { mode } = statSync(join(folder, String(name)));
    expect(mode & 0o077).toBe(0);
  }
});

test("GENERATION_COMMITS_MAX commits are rewritten as one, also for who is behind", async () => {
  const [values, behind] = [open(), open()];
  await behind.set("first", 1);
  const { version = 0 } = (await behind.read("first")) ?? {};
  const last = GENERATION_COMMITS_MAX + 9;
  for (let count = 0; count <= last; count++) await values.set("sum", count);
  const names = readdirSync(join(folder, "acme/values")).sort();
  expect(names).toEqual([expect.stringMatching(/^2-/), "first.json"]);
  expect(readdirSync(join(folder, "acme/drafts"))).toEqual([]);
  expect(await behind.get("sum")).toBe(last);
  expect(await behind.compareAndSet("first", version, 2)).toMatchObject({ kind: "done" });
  expect(await open().get("first")).toBe(2);
}, 60_000);

test("a tenant whose values have FOLDER_VALUES_BYTES_MAX bytes gets no more", async () => {
  const values = open();
  const body = "v".repeat(1_000_000);
  const fits = Math.floor(FOLDER_VALUES_BYTES_MAX / 1_000_010);
  for (let at = 0; at < fits; at++) await values.set(`k${at}`, body);
  await expect(values.set("more", body)).rejects.toMatchObject({ code: "STORE_FULL" });
  expect(await values.get("more")).toBeUndefined();
  // A full folder still accepts deletions and replacements, from any process.
  const other = open();
  await other.set("k0", "w".repeat(1_000_000));
  const both = [
    { kind: "delete", key: "k1" },
    { kind: "set", key: "more", value: body },
  ] as const;
  expect(await other.transact(both)).toMatchObject({ kind: "done" });
  const larger = [
    { kind: "delete", key: "k2" },
    { kind: "set", key: "most", value: body },
    { kind: "set", key: "rest", value: body.slice(0, 200_000) },
  ] as const;
  await expect(other.transact(larger)).rejects.toThrow("delete some");
  await other.set("k0", "small");
  await other.restore(await other.snapshot("k1"));
  await values.delete("more");
  await values.set("k1", body);
  expect(await other.get("k1")).toBe(body);
}, 60_000);

test("what processes that were killed have left in drafts goes after an hour", async () => {
  const drafts = join(folder, "acme/drafts");
  const longAgo = new Date(Date.now() - DRAFT_MS_MAX - 1_000);
  const leave = (isOld: boolean) => {
    mkdirSync(join(drafts, "over"), { recursive: true });
    for (const name of ["commit", "over/1.json"]) writeFileSync(join(drafts, name), "{}");
    if (isOld)
      for (const name of ["commit", "over"]) utimesSync(join(drafts, name), longAgo, longAgo);
  };
  leave(false);
  await open().set("a", 1);
  expect(readdirSync(drafts).sort()).toEqual(["commit", "over"]);
  leave(true);
  expect(await open().get("a")).toBe(1);
  expect(readdirSync(drafts)).toEqual([]);
  leave(true);
  await open().append("log", 1);
  expect(readdirSync(drafts)).toEqual([]);
});

test("a folder whose values somebody took out is no empty one", async () => {
  await open().set("a", 1);
  const values = join(folder, "acme/values");
  for (const name of readdirSync(values))
    if (name.startsWith("1-")) rmSync(join(values, name), { recursive: true });
  await expect(open().get("a")).rejects.toMatchObject({ code: "STORE_CORRUPT" });
});

/** Processes that compare and set the same value, some killed in the middle of it. */
test("processes that are killed lose nothing answered, and lock nobody out", async () => {
  const script = new URL("./compare-and-set.test.process.ts", import.meta.url);
  const answered: number[] = [];
  const children: ChildProcess[] = [];
  const ends = Array.from({ length: 6 }, (_, index) => {
    const child = fork(script, [folder, String(index)], {
      execArgv: ["--conditions=turnseal-source"],
    });
    children.push(child);
    answered[index] = 0;
    child.on("message", () => {
      answered[index] = (answered[index] ?? 0) + 1;
      if (index < 3 && answered[index] === 5 + index) child.kill("SIGKILL");
    });
    return new Promise<void>((resolve) => child.on("exit", () => resolve()));
  });
  await Promise.all(ends);
  const counts = (await open().get("counts")) as Record<string, number>;
  for (const [index, count] of answered.entries()) {
    expect(counts[String(index)]).toBeGreaterThanOrEqual(count);
    // A write in progress during the kill may be there, and nothing more.
    expect(counts[String(index)]).toBeLessThanOrEqual(index < 3 ? count + 1 : 20);
  }
  const { number } = (await open().readLog("log", 1)).at(-1) ?? {};
  const total = Object.values(counts).reduce((sum, count) => sum + count, 0);
  expect(Math.abs((number ?? 0) - total)).toBeLessThanOrEqual(3);
}, 60_000);
