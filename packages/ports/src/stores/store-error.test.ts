import { isLoopError } from "@turnseal/protocol";
import { expect, test } from "vitest";
import { STORE_ERROR_CODES, StoreError } from "./store-error.ts";

test("each code carries its advice", () => {
  const advice = STORE_ERROR_CODES.map((code) => [code, new StoreError(code, "no").retry]);
  expect(Object.fromEntries(advice)).toEqual({
    STORE_UNREACHABLE: "retry",
    STORE_FULL: "pause",
    STORE_FORMAT_UNKNOWN: "never",
    STORE_CORRUPT: "never",
    STORE_NOT_REPLICATED: "pause",
    STORE_READ_ONLY: "never",
  });
});

test("it is one of our errors, and keeps its cause apart from its message", () => {
  const cause = new Error("the words of someone else");
  const error = new StoreError("STORE_FULL", "the store is full", cause);
  expect(isLoopError(error)).toBe(true);
  expect([error.name, error.message, error.cause]).toEqual([
    "StoreError",
    "the store is full",
    cause,
  ]);
});
