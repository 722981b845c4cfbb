import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, mkdtempSync, readdirSync, rmSync, utimesSync, writeFileSync } from "node:fs";
import { hostname, tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeEach, describe, expect, test } from "vitest";
import { isSilent, type LeaseHolder, readLease, SILENCE_MS, takeLease } from "./lease.ts";
import { readProcessStart } from "./read-process-start.ts";

const root = mkdtempSync(join(tmpdir(), "turnseal-lease-"));
afterAll(() => rmSync(root, { recursive: true }));

const run = "2f1d9a52-8f3a-4c0e-9b7d-0d5f0a1b2c3d";
let folder = "";
beforeEach(() => {
  folder = mkdtempSync(join(root, "store-"));
});

function writeLease(holder: Partial<LeaseHolder> | string): void {
  const file = join(folder, "leases", `${run}.json`);
  mkdirSync(join(folder, "leases"), { recursive: true });
  writeFileSync(file, typeof holder === "string" ? holder : JSON.stringify(holder));
}

const mine: Partial<LeaseHolder> = {
  pid: process.pid,
  processStart: readProcessStart(process.pid) ?? "",
  machine: hostname(),
  token: "t",
  takenAt: new Date().toISOString(),
};

describe("a lease", () => {
  test("is taken once, says who holds it, and is free after its release", async () => {
    const first = await takeLease(folder, run);
    const second = await takeLease(folder, run);
    expect(second).toMatchObject({ kind: "held", holder: { pid: process.pid } });
    expect(await readLease(folder, run)).toMatchObject({ pid: process.pid });
    if (first.kind === "taken") await first.lease.release();
    expect(await readLease(folder, run)).toBeUndefined();
    expect((await takeLease(folder, run)).kind).toBe("taken");
  });

  test("of many that want it at once exactly one takes it, and nothing is left over", async () => {
    const answers = await Promise.all(Array.from({ length: 20 }, () => takeLease(folder, run)));
    expect(answers.filter(({ kind }) => kind === "taken")).toHaveLength(1);
    expect(readdirSync(join(folder, "leases"))).toEqual([`${run}.json`]);
  });

  test("of many that find a dead holder at once exactly one takes it", async () => {
    writeLease({ ...mine, processStart: "another" });
    const answers = await Promise.all(Array.from({ length: 20 }, () => takeLease(folder, run)));
    expect(answers.filter(({ kind }) => kind === "taken")).toHaveLength(1);
  });

  test("of one run says nothing about another", async () => {
    await takeLease(folder, run);
    const other = "7c3e1d40-52aa-4d1f-8a6b-91e0c4b7f2aa";
    expect((await takeLease(folder, other)).kind).toBe("taken");
  });

  test("is taken by force from a holder that is there, who then leaves it alone", async () => {
    const first = await takeLease(folder, run);
    expect((await takeLease(folder, run, { force: true })).kind).toBe("taken");
    if (first.kind === "taken") await first.lease.release();
    expect(await readLease(folder, run)).toBeDefined();
  });
});

describe("a holder is gone", () => {
  test("when its process has ended", async () => {
    const child = spawn(process.execPath, ["-e", "setTimeout(() => {}, 60_000)"]);
    await once(child, "spawn");
    const processStart = readProcessStart(child.pid ?? 0) ?? "";
    writeLease({ ...mine, pid: child.pid ?? 0, processStart });
    expect((await takeLease(folder, run)).kind).toBe("held");
    child.kill("SIGKILL");
    await once(child, "close");
    expect((await takeLease(folder, run)).kind).toBe("taken");
  });

  test("when another process has its id", async () => {
    writeLease({ ...mine, processStart: "another boot/1" });
    expect(await readLease(folder, run)).toBeUndefined();
    expect((await takeLease(folder, run)).kind).toBe("taken");
  });

  test("when the file is damaged", async () => {
    writeLease("{");
    expect(await readLease(folder, run)).toBeUndefined();
    expect((await takeLease(folder, run)).kind).toBe("taken");
  });

  test("on another machine when it has been silent", async () => {
    writeLease({ ...mine, machine: "elsewhere" });
    expect((await takeLease(folder, run)).kind).toBe("held");
    const past = new Date(Date.now() - SILENCE_MS - 1_000);
    utimesSync(join(folder, "leases", `${run}.json`), past, past);
    expect((await takeLease(folder, run)).kind).toBe("taken");
  });
});

test("a holder of this machine that is frozen is silent, and still holds", async () => {
  writeLease(mine);
  const past = new Date(Date.now() - SILENCE_MS - 1_000);
  utimesSync(join(folder, "leases", `${run}.json`), past, past);
  const answer = await takeLease(folder, run);
  expect(answer.kind === "held" && isSilent(answer.holder)).toBe(true);
});

test("a process that is not there has no start", () => {
  expect(readProcessStart(2 ** 30)).toBeUndefined();
  expect(readProcessStart(process.pid)).toMatch(/\S/);
});
