// TypeScript output for computed values, evaluated: a text equals that of a template literal, and a
// default that of `??`.
import {
  defineComposite,
  defineTool,
  jsonSchema,
  orElse,
  text,
} from "@turnseal/protocol/authoring";
import fc from "fast-check";
import { expect, test } from "vitest";
import { openWorld } from "./sample-world.test.data.ts";

interface Input {
  readonly name: string;
  readonly count: number;
  readonly late: boolean;
  readonly note?: string | null;
  readonly address: { readonly city?: string | null };
  readonly lines: readonly { readonly "a title"?: string }[];
}
type Said = Readonly<Record<string, unknown>>;

const any = jsonSchema<Said>({ type: "object" });
const say = defineTool({ id: "say", version: "1.0.0", input: any, output: any, run: (it) => it });

function open(constant: string) {
  const { definition } = defineComposite({
    id: "both",
    version: "1.0.0",
    input: jsonSchema<Input>({ type: "object" }),
    output: any,
    steps: (steps) =>
      steps.call("said", say, ({ input }) => ({
        text: text`${constant}: ${input.name}, ${input.count}, ${input.late}`,
        note: orElse(input.note, constant),
        city: orElse(input.address.city, input.name),
        first: orElse(input.lines[0]["a title"], 0),
        last: orElse(input.lines[-1]["a title"], orElse(input.note, ["x"])),
        inner: text`<${orElse(input.note, constant)}>`,
      })),
  });
  return openWorld({ loops: [say.definition, definition], tools: { say: (it) => it } });
}

const words = fc.string({ unit: "grapheme", maxLength: 8 });
const optional = fc.option(words, { nil: null });
const inputs: fc.Arbitrary<Input> = fc.record(
  {
    name: words,
    count: fc.oneof(fc.integer(), fc.double({ noNaN: true, noDefaultInfinity: true })),
    late: fc.boolean(),
    note: optional,
    address: fc.record({ city: optional }, { requiredKeys: [] }),
    lines: fc.array(fc.record({ "a title": words }, { requiredKeys: [] }), { maxLength: 2 }),
  },
  { requiredKeys: ["name", "count", "late", "address", "lines"] },
);

test("texts and defaults are those of the language, for 200 inputs and constants", async () => {
  const property = fc.asyncProperty(words, inputs, async (constant, input) => {
    const { name, count, late, note, address, lines } = input;
    const { result } = await open(constant).call("both", input);
    expect(result).toMatchObject({ status: "ok" });
    expect(result.status === "ok" && result.output).toEqual({
      text: `${constant}: ${name}, ${count}, ${late}`,
      note: note ?? constant,
      city: address.city ?? name,
      first: lines[0]?.["a title"] ?? 0,
      last: lines.at(-1)?.["a title"] ?? note ?? ["x"],
      inner: `<${note ?? constant}>`,
    });
  });
  await fc.assert(property, { numRuns: 200, seed: 7 });
});
