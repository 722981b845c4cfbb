import { describe, expect, test } from "vitest";
import { createLineReader, LINE_BYTES_MAX } from "./line-reader.ts";

const bytes = (text: string) => new TextEncoder().encode(text);

describe("createLineReader", () => {
  test("joins what came in pieces and cuts what came together", () => {
    const read = createLineReader();
    expect(read(bytes("on"))).toEqual([]);
    expect(read(bytes("e\ntwo\nthr"))).toEqual(["one", "two"]);
    expect(read(bytes("ee\n\n"))).toEqual(["three", ""]);
  });

  test("joins a character that was cut in two", () => {
    const read = createLineReader();
    const [first, ...rest] = bytes("é\n");
    expect(read(Uint8Array.of(first ?? 0))).toEqual([]);
    expect(read(Uint8Array.from(rest))).toEqual(["é"]);
  });

  test("takes a line of LINE_BYTES_MAX bytes", () => {
    const line = "x".repeat(LINE_BYTES_MAX);
    expect(createLineReader()(bytes(`${line}\n`))).toEqual([line]);
  });

  test("refuses a line of one byte more, with or without its end", () => {
    const line = "x".repeat(LINE_BYTES_MAX + 1);
    for (const sent of [line, `${line}\n`]) {
      expect(() => createLineReader()(bytes(sent))).toThrow(
        expect.objectContaining({ code: "PROGRAM_LINE_TOO_LONG" }),
      );
    }
  });

  test("refuses a line that is no UTF-8", () => {
    expect(() => createLineReader()(Uint8Array.of(0xff, 0x0a))).toThrow(
      expect.objectContaining({ code: "PROGRAM_ANSWER_INVALID" }),
    );
  });
});
