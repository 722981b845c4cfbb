import { spawn } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { endProcess, findProcess, forgetProcess, noteProcess } from "./process-file.ts";

const folder = mkdtempSync(join(tmpdir(), "turnseal-process-"));
afterAll(() => rmSync(folder, { recursive: true }));

const sleeper = "setInterval(() => {}, 1000)";
const deaf = `process.on("SIGTERM", () => {}); console.log("up"); ${sleeper}`;

test("a process is found by its note, ended in order, and gone afterwards", async () => {
  const child = spawn(process.execPath, ["-e", sleeper]);
  const pid = child.pid ?? 0;
  await noteProcess(folder, pid);
  expect(readFileSync(join(folder, "pid"), "utf8")).toBe(`${pid}\n`);
  expect(await findProcess(folder)).toBe(pid);
  await endProcess(pid, 5_000);
  expect(await findProcess(folder)).toBeUndefined();
  await forgetProcess(folder);
  expect(await findProcess(folder)).toBeUndefined();
});

test("the id of a stranger is not taken for the process that was noted", async () => {
  await noteProcess(folder, process.pid);
  writeFileSync(join(folder, "pid-start"), "another boot/1");
  expect(await findProcess(folder)).toBeUndefined();
});

test.each(["", "0", "1", "-5", "words"])("a note that says %j names nobody", async (text) => {
  writeFileSync(join(folder, "pid"), text);
  expect(await findProcess(folder)).toBeUndefined();
});

test("a process that does not listen is killed after its time", async () => {
  const child = spawn(process.execPath, ["-e", deaf]);
  const ended = new Promise((resume) => child.on("exit", (_, signal) => resume(signal)));
  await new Promise((resume) => child.stdout.once("data", resume));
  await endProcess(child.pid ?? 0, 200);
  expect(await ended).toBe("SIGKILL");
});
