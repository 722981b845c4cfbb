/** The vectors of spec/mcp.md. */
import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { parseActionKey } from "./config/action-key.ts";
import { findHidden } from "./pins/find-hidden.ts";
import { digestPin } from "./pins/pin.ts";

interface Case {
  readonly description: string;
  readonly input: unknown;
  readonly expect: unknown;
}

function readCases(name: string): readonly Case[] {
  const file = new URL(`../../../../spec/vectors/mcp/${name}.json`, import.meta.url);
  return JSON.parse(readFileSync(file, "utf8")) as readonly Case[];
}

describe("the digest of a pin (spec/mcp.md §1.5)", () => {
  const cases = readCases("pin-digests");
  test.each(cases)("$description", ({ input, expect: expected }) => {
    const { tool, server } = input as { readonly tool: never; readonly server: object };
    expect(digestPin(tool, { tools: [], refused: [], ...server } as never)).toBe(expected);
  });

  test("no two are equal", () => {
    expect(new Set(cases.map((each) => each.expect)).size).toBe(cases.length);
  });
});

describe("hidden characters (spec/mcp.md §1.6)", () => {
  test.each(readCases("hidden-characters"))("$description", ({ input, expect: expected }) => {
    expect(findHidden(input as string) ?? null).toBe(expected);
    // As deep as it stands, and in a name as in a value.
    expect(findHidden({ a: [{ [String(input)]: 1 }] }) ?? null).toBe(expected);
  });
});

describe("the place of a key (spec/mcp.md §3.1)", () => {
  test.each(readCases("action-keys"))("$description", ({ input, expect: expected }) => {
    expect(parseActionKey(input as string) ?? null).toEqual(expected);
  });
});
