import { fileURLToPath } from "node:url";
import { afterEach, describe, expect, test } from "vitest";
import { LINE_BYTES_MAX } from "./line-reader.ts";
import { type Program, startProgram } from "./start-program.ts";

const fixture = fileURLToPath(new URL("../__fixtures__/odd-program.mjs", import.meta.url));
const started: Program[] = [];

function start(way: string, { detail = "", startMs = 5_000, answerMs = 5_000 } = {}): Program {
  const program = startProgram([process.execPath, fixture, way, detail], { startMs, answerMs });
  started.push(program);
  return program;
}

afterEach(async () => {
  await Promise.all(started.splice(0).map((program) => program.stop()));
});

describe("a program under test", () => {
  test("answers one request after the other", async () => {
    const program = start("proper");
    expect(await program.ask("hello", {})).toMatchObject({ name: "odd", protocol: 1 });
    expect(await program.ask("list", {})).toEqual({ loops: [] });
    expect(program.isBroken()).toBe(false);
  });

  test.each([
    ["dies!", "PROGRAM_EXITED", "ended with code 7; it wrote: out of memory"],
    ["nonsense!", "PROGRAM_ANSWER_INVALID", "hello, I am not JSON"],
    ["no-object!", "PROGRAM_ANSWER_INVALID", "[1, 2]"],
    ["wrong-id!", "PROGRAM_ANSWER_INVALID", "answered unasked"],
  ])("that %s is broken: %s", async (way, code, text) => {
    const program = start(way);
    await expect(program.ask("hello", {})).rejects.toMatchObject({
      code,
      message: expect.stringContaining(text),
    });
    expect(program.isBroken()).toBe(true);
    await expect(program.ask("hello", {})).rejects.toMatchObject({ code });
  });

  test("that is silent is given up after its time: PROGRAM_TIMEOUT", async () => {
    const program = start("silent!", { startMs: 200 });
    await expect(program.ask("hello", {})).rejects.toMatchObject({
      code: "PROGRAM_TIMEOUT",
      message: "the program did not answer `hello` within 200 ms",
    });
    expect(program.isBroken()).toBe(true);
  });

  test("that starts slowly is waited for, and given up when it answers slowly after", async () => {
    const program = start("slow", { detail: "400", answerMs: 200 });
    expect(await program.ask("hello", {})).toMatchObject({ name: "odd" });
    await expect(program.ask("reset", {})).rejects.toMatchObject({
      code: "PROGRAM_TIMEOUT",
      message: "the program did not answer `reset` within 200 ms",
    });
  });

  test("that does not exist cannot be started: PROGRAM_NOT_STARTED", async () => {
    const program = startProgram(["/nowhere/to/be/found"]);
    await expect(program.ask("hello", {})).rejects.toMatchObject({ code: "PROGRAM_NOT_STARTED" });
    await program.stop();
  });

  test("that answers with an error has refused and is not broken: PROGRAM_REFUSED", async () => {
    const program = start("refuses!");
    await expect(program.ask("hello", {})).rejects.toMatchObject({
      code: "PROGRAM_REFUSED",
      message: "the program says: not today",
    });
    expect(program.isBroken()).toBe(false);
  });

  test("may send a line of LINE_BYTES_MAX bytes", async () => {
    const program = start("long!", { detail: String(LINE_BYTES_MAX) });
    expect(await program.ask("hello", {})).toEqual({});
  });

  test("may not send one byte more: PROGRAM_LINE_TOO_LONG", async () => {
    const program = start("long!", { detail: String(LINE_BYTES_MAX + 1) });
    await expect(program.ask("hello", {})).rejects.toMatchObject({ code: "PROGRAM_LINE_TOO_LONG" });
  });

  test("is killed when it does not end with its input", async () => {
    const program = start("stays");
    await program.ask("hello", {});
    await program.stop();
    await expect(program.ask("hello", {})).rejects.toMatchObject({ code: "PROGRAM_EXITED" });
  });
});
