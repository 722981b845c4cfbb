import { describe, expect, test } from "vitest";
import { TOOL_OUTPUT_LENGTH_MAX } from "../limits.ts";
import { REDACTED } from "./mark-secrets.ts";
import { createRedactor } from "./redact.ts";
import { openToolOutput } from "./tool-output.ts";

function open(secrets: readonly string[] = []) {
  const told: string[] = [];
  const abort = new AbortController();
  const redactor = createRedactor(secrets);
  const output = openToolOutput(redactor, abort.signal, (text) => told.push(text));
  return { output, told, abort };
}

describe("what a tool shows", () => {
  test("is kept exactly as it was told", () => {
    const { output, told } = open(["sk-live-0123456789"]);
    for (const piece of ["key sk-li", "ve-01234", "56789 ends ", "here"]) output.write(piece);
    expect(output.shown()?.text ?? "").toBe(told.join(""));
    output.close();
    expect(output.shown()).toEqual({ text: `key ${REDACTED} ends here`, isCut: false });
    expect(told.join("")).toBe(`key ${REDACTED} ends here`);
  });

  test("is nothing when nothing was shown", () => {
    const { output } = open();
    output.write("");
    output.close();
    expect(output.shown()).toBeUndefined();
  });

  test("is not heard after its end, nor once nobody waits for it", () => {
    const ended = open();
    ended.output.close();
    ended.output.write("late");
    expect(ended.output.shown()).toBeUndefined();
    const left = open();
    left.output.write("in time");
    left.abort.abort();
    left.output.write("late");
    left.output.close();
    expect(left.told).toEqual(["in time"]);
  });

  test("is only text", () => {
    const { output, told } = open();
    for (const odd of [undefined, 7, { toString: () => "x" }]) output.write(odd as never);
    expect(told).toEqual([]);
  });

  test("is told whole up to TOOL_OUTPUT_LENGTH_MAX, and no further", () => {
    const whole = open();
    whole.output.write("a".repeat(TOOL_OUTPUT_LENGTH_MAX));
    expect(whole.output.shown()).toMatchObject({ isCut: false });
    whole.output.write("b");
    whole.output.write("c");
    expect(whole.output.shown()).toEqual({ text: "a".repeat(TOOL_OUTPUT_LENGTH_MAX), isCut: true });
    expect(whole.told.join("")).toHaveLength(TOOL_OUTPUT_LENGTH_MAX);
  });

  test("is never cut inside a character", () => {
    const { output, told } = open();
    output.write(`${"a".repeat(TOOL_OUTPUT_LENGTH_MAX - 1)}💡`);
    expect(output.shown()).toMatchObject({ isCut: true });
    expect(told.join("").isWellFormed()).toBe(true);
    expect(told.join("")).toHaveLength(TOOL_OUTPUT_LENGTH_MAX - 1);
  });

  test("a piece that is far too long is not looked at to its end", () => {
    const { output } = open(["sk-live-0123456789"]);
    output.write("sk-live-0123456789".repeat(TOOL_OUTPUT_LENGTH_MAX));
    output.close();
    expect(output.shown()).toMatchObject({ isCut: true });
  });
});
