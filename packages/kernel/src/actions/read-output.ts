/** The tool with which a model reads on in an output that it was shown a part of. */
import type { JsonValue } from "@turnseal/protocol";
import { hasFields, isCount, isCountWithin, isText } from "@turnseal/protocol/shape";
import { type OutputRange, readRange } from "../context/preview-output.ts";
import type { CheckedLoop } from "../definition/check-loop.ts";
import { OUTPUT_RANGE_BYTES_MAX } from "../limits.ts";
import { fail, type Outcome, succeed } from "../outcome.ts";
import type { Frame } from "../resume/frame.ts";
import type { Action } from "../step/action.ts";
import type { World } from "../world.ts";
import { admitTool } from "./admit-tool.ts";

/** The tool that is an earlier output of the run: it is given a handle and a range. */
export const OUTPUT_TOOL = "turnseal.output";

/** Reads a range of an output. */
export async function readOutput(
  { definition: { id: loop, version } }: CheckedLoop,
  input: JsonValue,
  { frame, world }: { readonly frame: Frame; readonly world: World },
): Promise<Outcome<JsonValue>> {
  const tool = { name: OUTPUT_TOOL, version, effect: "read" } as const;
  const admission = admitTool(frame, tool, { args: input, needs: {} });
  if (admission.kind !== "ok") return admission;
  const asked = readAsked(input);
  if (asked === undefined)
    return fail("INPUT_VALIDATION_FAILED", `${OUTPUT_TOOL} takes a handle, from and bytes`);
  const { terms, approvals } = admission.value;
  const { grant = {} } = frame;
  const facts = { action: "tool" } as const;
  const action: Action = {
    kind: "tool",
    name: OUTPUT_TOOL,
    ordinal: 0,
    effect: "read",
    facts: {
      action: "tool",
      tool: OUTPUT_TOOL,
      build: "builtin",
      term: OUTPUT_TOOL,
      ...(terms.length === 0 ? {} : { terms: [...terms] }),
    },
    request: input,
    reserve: () => ({ toolCalls: 1 }),
    attempt: { toolCalls: 1 },
    judged: { loop, tool, args: input, grant, needs: {}, approvals },
    act: async () => {
      const output = await world.journal.readKept(asked.handle);
      if (output === undefined) throw new TypeError("no output of this run has this handle");
      return { result: readRange(output, asked.range), facts, spent: { toolCalls: 1 } };
    },
  };
  const outcome = await world.journal.run(frame, action);
  return outcome.kind === "ok" ? succeed(outcome.value.result) : outcome;
}

interface Asked {
  readonly handle: string;
  readonly range: OutputRange;
}

const isAsked = hasFields(
  { handle: isText },
  { from: isCount, bytes: isCountWithin({ least: 1, most: Number.MAX_SAFE_INTEGER }) },
);

/** A document may give the tool another schema: what it is given is looked at here, too. */
function readAsked(input: JsonValue): Asked | undefined {
  if (!isAsked(input)) return undefined;
  const { handle, from = 0, bytes = OUTPUT_RANGE_BYTES_MAX } = input;
  return { handle, range: { from, bytes } };
}
