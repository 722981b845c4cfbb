/** The tool with which a model reads on in an output that it was shown a part of. */
import { type JsonValue, OUTPUT_TOOL } from "@turnseal/protocol";
import { hasFields, isCount, isCountWithin, isText } from "@turnseal/protocol/shape";
import { type OutputRange, readRange } from "../context/preview-output.ts";
import { OUTPUT_RANGE_BYTES_MAX } from "../limits.ts";
import { fail, succeed } from "../outcome.ts";
import { admitRead, type BuiltIn, readAction } from "./built-in.ts";

/** Reads a range of an output. */
export const readOutput: BuiltIn = {
  name: OUTPUT_TOOL,
  admit: admitRead(OUTPUT_TOOL),
  run: async (call, admitted) => {
    const { input, frame, world } = call;
    const asked = readAsked(input);
    if (asked === undefined)
      return fail(
        "INPUT_VALIDATION_FAILED",
        `${OUTPUT_TOOL} takes a handle, and from and bytes or whole`,
      );
    const outcome = await world.effects.journal.run(frame, {
      ...readAction(OUTPUT_TOOL, call, admitted),
      act: async () => {
        const output = await world.memory?.outputs.read(asked.handle);
        if (output === undefined) throw new TypeError("no output of this run has this handle");
        const { range } = asked;
        const result = range === "whole" ? { content: output } : readRange(output, range);
        return { result, facts: { action: "tool" }, spent: { toolCalls: 1 } };
      },
    });
    return outcome.kind === "ok" ? succeed(outcome.value.result) : outcome;
  },
};

interface Asked {
  readonly handle: string;
  readonly range: OutputRange | "whole";
}

const isTrue = (value: unknown): value is true => value === true;
const isWhole = hasFields({ handle: isText, whole: isTrue });
const isAsked = hasFields(
  { handle: isText },
  { from: isCount, bytes: isCountWithin({ least: 1, most: Number.MAX_SAFE_INTEGER }) },
);

/** A document may give the tool another schema, so the input is checked here, too. */
function readAsked(input: JsonValue): Asked | undefined {
  if (isWhole(input)) return { handle: input.handle, range: "whole" };
  if (!isAsked(input)) return undefined;
  const { handle, from = 0, bytes = OUTPUT_RANGE_BYTES_MAX } = input;
  return { handle, range: { from, bytes } };
}
