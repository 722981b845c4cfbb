import { PassThrough } from "node:stream";
import { text } from "node:stream/consumers";
import { fileURLToPath } from "node:url";
import { runCommand } from "@turnseal/conformance/command";
import { expect, test } from "vitest";

const program = fileURLToPath(new URL("program.ts", import.meta.url));
const command = [process.execPath, "--conditions=turnseal-source", program];

test.each([
  ["lsem", ["register/minimal-tool", "lifecycle/tool"]],
  ["log", ["turns/cap-of-two", "crashes/once-before-settled", "receipt/one-turn"]],
  ["governed", ["approvals/approved", "handoffs/lineage", "receipt-tree/as-deep-as-may-be"]],
])("this runtime passes cases of %s, and the last line says so", async (profile, cases) => {
  const stdout = new PassThrough();
  const stderr = new PassThrough();
  const only = cases.flatMap((name) => ["--only", name]);
  const exitCode = await runCommand([profile, ...only], { stdout, stderr, command });
  stdout.end();
  stderr.end();
  expect(await text(stdout)).toBe(`${cases.length} passed, 0 failed\n`);
  expect({ exitCode, err: await text(stderr) }).toEqual({ exitCode: 0, err: "" });
});
