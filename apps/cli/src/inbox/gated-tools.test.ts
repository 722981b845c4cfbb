// Tools that ask themselves, through the command: no way of using them leaves the question out.
import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { PassThrough, Readable } from "node:stream";
import { fileURLToPath } from "node:url";
import { createScreen } from "@turnseal/terminal";
import { afterAll, beforeEach, expect, test } from "vitest";
import { runProgram } from "../program.ts";
import { readWritten } from "../read-written.test.data.ts";

const loops = fileURLToPath(new URL("../__fixtures__/gated.ts", import.meta.url));
const root = mkdtempSync(join(tmpdir(), "turnseal-gated-"));
afterAll(() => rmSync(root, { recursive: true }));

let place = "";
beforeEach(() => {
  place = mkdtempSync(join(root, "story-"));
});

async function ask(...args: string[]): Promise<{ code: number; out: string }> {
  const [stdout, stderr] = [new PassThrough(), new PassThrough()];
  const code = await runProgram(args, {
    environment: {},
    stdin: Readable.from([]),
    stdout,
    stderr,
    terminal: { out: createScreen(stdout, {}), err: createScreen(stderr, {}) },
  });
  return { code, out: readWritten(stdout) };
}

const inStore = (...args: string[]) => ask(...args, "--store", join(place, "store"));
const inputOf = (line: string) => JSON.stringify({ path: join(place, "lines.txt"), line });

function start(loop: string, line: string) {
  const granted = ["--allow", "local.write_file,local.blocked"];
  return inStore("run", loop, "--from", loops, "--input", inputOf(line), ...granted);
}

function written(): string {
  const file = join(place, "lines.txt");
  return existsSync(file) ? readFileSync(file, "utf8") : "";
}

test("a run waits with the tool's own question, and acts once when it is approved", async () => {
  expect((await start("write_file", "hello")).code).toBe(2);
  expect(written()).toBe("");
  const { out } = await inStore("inbox");
  expect(out).toMatch(/^ {2}asks {6}"Write \\"hello\\"\?"$/m);
  expect(out).toMatch(/^ {2}asked by {2}the tool itself$/m);
  const [id = ""] = /(?<=^ {2}next: turnseal approve )\S+/m.exec(out) ?? [];
  expect((await inStore("approve", id)).code).toBe(0);
  expect((await inStore("resume", "--from", loops)).code).toBe(0);
  expect(written()).toBe("hello\n");
  expect((await inStore("replay", "last", "--from", loops)).out).toContain("identical");
});

test("what it says needs no question is done at once", async () => {
  expect((await start("write_file", "harmless")).code).toBe(0);
  expect(written()).toBe("harmless\n");
});

test("what is blocked is done by no run, and by no call", async () => {
  expect((await start("blocked", "harmless")).code).not.toBe(0);
  const call = await ask("call", "blocked", "--from", loops, "--input", inputOf("harmless"));
  expect(call.code).not.toBe(0);
  expect(written()).toBe("");
});

test("a call outside a run has nobody to ask", async () => {
  const call = await ask("call", "write_file", "--from", loops, "--input", inputOf("hello"));
  expect(call.code).not.toBe(0);
  expect(written()).toBe("");
});

test("a run that was kept as a test asks again, and passes", async () => {
  await start("write_file", "hello");
  const { out } = await inStore("inbox");
  const [id = ""] = /(?<=^ {2}next: turnseal approve )\S+/m.exec(out) ?? [];
  await inStore("approve", id);
  await inStore("resume", "--from", loops);
  const file = join(place, "kept.harness.json");
  const kept = await inStore("fixture", "last", "--from", loops, "--out", file);
  expect(kept.out).toContain("passes offline");
  expect(written()).toBe("hello\n");
});
