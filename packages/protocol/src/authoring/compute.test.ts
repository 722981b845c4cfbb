import { describe, expect, test } from "vitest";
import { z } from "zod";
import { CanonicalJsonError } from "../canonical-json.ts";
import { digestOf } from "../digest.ts";
import type { MappingSource } from "../loop/mapping.ts";
import { parseLoopDef } from "../loop/parse-loop-def.ts";
import { orElse, text } from "./compute.ts";
import { defineComposite } from "./define-composite.ts";
import { defineTool } from "./define-tool.ts";
import { createReference, type Reference } from "./reference.ts";

interface Input {
  readonly order: number;
  readonly name: string;
  readonly late: boolean;
  readonly note?: string;
  readonly address: { readonly city?: string | null };
  readonly lines: readonly { readonly title?: string }[];
  readonly "the key"?: string;
  readonly in?: string;
}

const echo = defineTool({
  id: "echo",
  version: "1.0.0",
  input: z.object({ value: z.any() }),
  output: z.object({ value: z.any() }),
  run: ({ value }) => ({ value }),
});
const input = createReference(["input"]) as Reference<Input>;
const found = createReference(["found"]) as { readonly output: Reference<Input> };

/** The form of a mapping's value in the document. */
function print(value: unknown): MappingSource | undefined {
  const { definition } = defineComposite({
    id: "both",
    version: "1.0.0",
    input: z.any(),
    output: z.any(),
    steps: (steps) => steps.call("first", echo, () => ({ value })),
  });
  expect(parseLoopDef(definition).kind).toBe("parsed");
  return definition.composite?.steps?.[0]?.inputMapping["value"];
}

describe("a text is printed as an expression", () => {
  test.each<[unknown, string]>([
    [
      text`Order ${input.order} of ${input.name}`,
      '"Order " + string(input.order) + " of " + string(input.name)',
    ],
    [text`${input.late}`, "string(input.late)"],
    [text`${found.output.name}!`, 'string(found.output.name) + "!"'],
    [text`plain`, '"plain"'],
    [text``, '""'],
    [text`${"known"} ${7} ${true} ${input.name}`, '"known 7 true " + string(input.name)'],
    [text`${input.name}${input.name}`, "string(input.name) + string(input.name)"],
    [text`"quoted" \\ ${input.name}\n`, '"\\"quoted\\" \\\\ " + string(input.name) + "\\n"'],
    [
      text`no {{place}} and no $.path: ${input.name}`,
      '"no {{place}} and no $.path: " + string(input.name)',
    ],
    [text`(${text`a ${input.name}`})`, '"(" + string(("a " + string(input.name))) + ")"'],
    [
      text`Note: ${orElse(input.note, "none")}`,
      '"Note: " + string((has(input.note) && input.note != null ? input.note : "none"))',
    ],
  ])("%#", (value, cel) => {
    expect(print(value)).toEqual({ cel });
  });
});

describe("a default is printed as an expression", () => {
  const note = "has(input.note) && input.note != null ? input.note";
  test.each<[unknown, string]>([
    [orElse(input.note, "none"), `${note} : "none"`],
    [orElse(input.note, null), `${note} : null`],
    [orElse(input.note, -1), `${note} : -1`],
    [orElse(input.note, ["a {b}", 2]), `${note} : ["a {b}",2]`],
    [orElse(input.note, input.name), `${note} : input.name`],
    [
      orElse(input.note, orElse(found.output.note, "x")),
      `${note} : (has(found.output.note) && found.output.note != null ? found.output.note : "x")`,
    ],
    [
      orElse(input.address.city, "?"),
      "has(input.address) && input.address != null && has(input.address.city) && " +
        'input.address.city != null ? input.address.city : "?"',
    ],
    [
      orElse(input.lines[0].title, "?"),
      "has(input.lines) && input.lines != null && size(input.lines) > 0 && " +
        "input.lines[0] != null && " +
        'has(input.lines[0].title) && input.lines[0].title != null ? input.lines[0].title : "?"',
    ],
    [
      orElse(input.lines[-1], "?"),
      "has(input.lines) && input.lines != null && size(input.lines) >= 1 && " +
        'input.lines[size(input.lines) - 1] != null ? input.lines[size(input.lines) - 1] : "?"',
    ],
    [
      orElse(input["the key"], "?"),
      '"the key" in input && input["the key"] != null ? input["the key"] : "?"',
    ],
    [orElse(input.in, "?"), '"in" in input && input["in"] != null ? input["in"] : "?"'],
    [orElse(found.output, "?"), 'found.output != null ? found.output : "?"'],
    [orElse(text`a`, "?"), '("a") != null ? ("a") : "?"'],
  ])("%#", (value, cel) => {
    expect(print(value)).toEqual({ cel });
  });
});

test("a loop in TypeScript and its document have one digest", () => {
  const { definition } = defineComposite({
    id: "both",
    version: "1.0.0",
    input: z.object({ order: z.number(), note: z.string().optional() }),
    output: z.object({ text: z.string() }),
    steps: (steps) =>
      steps
        .call("first", echo, ({ input }) => ({ value: text`Order ${input.order}` }))
        .output(({ input }) => ({ text: orElse(input.note, "none") })),
  });
  const document = {
    id: "both",
    name: "both",
    version: "1.0.0",
    kind: "composite",
    inputSchema: {
      type: "object",
      properties: { order: { type: "number" }, note: { type: "string" } },
      required: ["order"],
    },
    outputSchema: { type: "object", properties: { text: { type: "string" } }, required: ["text"] },
    composite: {
      steps: [
        {
          loopId: "echo",
          loopVersion: "1.0.0",
          inputMapping: { value: { cel: '"Order " + string(input.order)' } },
          outputBinding: "first",
        },
      ],
      outputMapping: {
        text: { cel: 'has(input.note) && input.note != null ? input.note : "none"' },
      },
    },
  };
  expect(definition).toEqual(document);
  expect(digestOf(definition)).toBe(digestOf(document));
});

describe("what cannot be an expression is REFERENCE_MISPLACED where it is written", () => {
  const named = createReference(["my-step"]) as { readonly output: Reference<Input> };
  test.each<[string, () => unknown]>([
    ["a binding that no expression can name", () => text`${named.output.name}`],
    ["such a binding with a default", () => orElse(named.output.note, "none")],
    ["an object as a default", () => orElse(input.note, { a: 1 } as unknown as string)],
    ["a reference in a list as a default", () => orElse(input.note, [input.name] as never)],
    ["a computed value in an object", () => print({ inside: text`${input.name}` })],
    ["a computed value in a list", () => print([orElse(input.note, "none")])],
    ["a computed value as text", () => `${String(text`${input.name}`)}!`],
  ])("%s", (_, write) => {
    expect(write).toThrow(expect.objectContaining({ code: "REFERENCE_MISPLACED" }));
  });

  test("a number that JSON does not have", () => {
    expect(() => orElse(input.note, Number.NaN)).toThrow(CanonicalJsonError);
  });
});
