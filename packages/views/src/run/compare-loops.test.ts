import type { LoopDef } from "@turnseal/protocol";
import { expect, test } from "vitest";
import { compareLoops, compareTexts } from "./compare-loops.ts";

const before = {
  ...{ id: "desk", name: "desk", version: "1.0.0", kind: "prompt" },
  inputSchema: { type: "object" },
  outputSchema: true,
  prompt: { template: "Be kind.\nRefund {{order}}.\nThen stop.", variables: ["order"] },
} as unknown as LoopDef;

const prompt = { template: "Be kind.\nNever refund {{order}}.\nThen stop.", variables: ["order"] };

test("of a text, only the lines that differ are told", () => {
  expect(compareLoops(before, { ...before, prompt })).toEqual([
    {
      path: "/prompt/template",
      lines: [
        { mark: "-", text: "Refund {{order}}." },
        { mark: "+", text: "Never refund {{order}}." },
      ],
    },
  ]);
});

test("what came and what went is told with its place, and what is the same is not", () => {
  const { outputSchema: _, ...rest } = before;
  const now = { ...rest, maxRounds: 3 } as unknown as LoopDef;
  expect(compareLoops(before, now)).toEqual([
    { path: "/outputSchema", lines: [{ mark: "-", text: "true" }] },
    { path: "/maxRounds", lines: [{ mark: "+", text: "3" }] },
  ]);
  expect(compareLoops(before, before)).toEqual([]);
});

test("lines that were only added or taken away are told alone", () => {
  expect(compareTexts("a\nb", "a\nx\nb")).toEqual([{ mark: "+", text: "x" }]);
  expect(compareTexts("a\na\nb", "a\nb")).toEqual([{ mark: "-", text: "a" }]);
  expect(compareTexts("a", "a")).toEqual([]);
});
