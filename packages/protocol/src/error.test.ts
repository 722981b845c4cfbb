import { runInNewContext } from "node:vm";
import { describe, expect, test } from "vitest";
import {
  ERROR_CHAIN_MAX,
  formatErrorChain,
  InvariantError,
  invariant,
  isLoopError,
  LoopError,
  unreachable,
} from "./error.ts";

class DoorError extends LoopError<"DOOR_LOCKED"> {
  constructor(cause?: unknown) {
    super({ code: "DOOR_LOCKED", retry: "pause", message: "the door is locked", cause });
  }
}

describe("LoopError", () => {
  test("carries its code, its advice and the name of its class", () => {
    const cause = new Error("no key");
    const error = new DoorError(cause);
    expect(error).toMatchObject({ name: "DoorError", code: "DOOR_LOCKED", retry: "pause", cause });
    expect(error).toBeInstanceOf(Error);
  });

  test("has no cause when none was given", () => {
    expect(Object.hasOwn(new DoorError(), "cause")).toBe(false);
  });

  test("is recognised across two copies of the package", async () => {
    const elsewhere: string = "./error.ts?copy";
    const copy = (await import(/* @vite-ignore */ elsewhere)) as typeof import("./error.ts");
    const error = new copy.InvariantError("broken");
    expect(error).not.toBeInstanceOf(LoopError);
    expect(isLoopError(error)).toBe(true);
    expect(copy.isLoopError(new DoorError())).toBe(true);
  });

  test.each<[string, unknown]>([
    ["a plain error", new Error("a")],
    ["an object that looks like one", { code: "DOOR_LOCKED", retry: "never", message: "a" }],
    ["null", null],
    ["undefined", undefined],
    ["a text", "DOOR_LOCKED"],
  ])("does not recognise %s", (_, value) => {
    expect(isLoopError(value)).toBe(false);
  });
});

describe("bugs", () => {
  test("invariant throws INVARIANT_BROKEN, which nobody may retry", () => {
    expect(() => invariant(false, "a gap in the sequence")).toThrow(
      expect.objectContaining({
        code: "INVARIANT_BROKEN",
        retry: "never",
        message: "a gap in the sequence",
      }),
    );
    expect(() => invariant(true, "never said")).not.toThrow();
  });

  test("unreachable names the value that nobody expected", () => {
    expect(() => unreachable("sideways" as never)).toThrow(InvariantError);
    expect(() => unreachable("sideways" as never)).toThrow("unexpected value sideways");
  });
});

describe("formatErrorChain", () => {
  test("names every cause, outermost first", () => {
    const root = new Error("no key");
    const middle = new DoorError(root);
    expect(formatErrorChain(new Error("cannot enter", { cause: middle }))).toBe(
      "cannot enter: the door is locked: no key",
    );
  });

  test("follows ERROR_CHAIN_MAX causes and no more, so that a circle ends", () => {
    const circular = new Error("again");
    circular.cause = circular;
    expect(formatErrorChain(circular).split(": ")).toHaveLength(ERROR_CHAIN_MAX);

    let chain = new Error("0");
    for (let level = 1; level < ERROR_CHAIN_MAX; level++) {
      chain = new Error(String(level), { cause: chain });
    }
    expect(formatErrorChain(chain)).toBe("7: 6: 5: 4: 3: 2: 1: 0");
    expect(formatErrorChain(new Error("8", { cause: chain }))).toBe("8: 7: 6: 5: 4: 3: 2: 1");
  });

  test.each<[string, unknown, string]>([
    ["a text", "oops", "oops"],
    ["a number", 7, "7"],
    ["null", null, "what was thrown is not an error"],
    ["an object", { secret: 1 }, "what was thrown is not an error"],
    ["an object that cannot be a text", Object.create(null), "what was thrown is not an error"],
    ["a function", () => 1, "what was thrown is not an error"],
    ["an error of another realm", runInNewContext("new Error('far away')"), "far away"],
    ["an error caused by a text", new Error("a", { cause: "b" }), "a: b"],
  ])("renders %s", (_, thrown, text) => {
    expect(formatErrorChain(thrown)).toBe(text);
  });
});
