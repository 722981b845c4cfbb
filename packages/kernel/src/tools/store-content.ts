/** The tool with which a loop or a flow keeps content of the run, and gets a handle to it. */
import { isPlainObject, type JsonValue, STORE_TOOL } from "@turnseal/protocol";
import { isCountWithin } from "@turnseal/protocol/shape";
import { describeContent } from "../context/preview-output.ts";
import { OUTPUT_PREVIEW_BYTES_MAX } from "../limits.ts";
import { fail, succeed } from "../outcome.ts";
import { admitRead, type BuiltIn, readAction } from "./built-in.ts";

/** Keeps content under a handle. */
export const storeContent: BuiltIn = {
  name: STORE_TOOL,
  admit: admitRead(STORE_TOOL),
  run: async (call, admitted) => {
    const { input, frame, world } = call;
    if (world.kind === "call")
      return fail("POLICY_DENIED", "to keep content needs a run", { denial: "run-missing" });
    const asked = readAsked(input);
    if (asked === undefined)
      return fail("INPUT_VALIDATION_FAILED", `${STORE_TOOL} takes content, and preview in bytes`);
    // Also where the action is recorded: the end of the turn stores what is kept.
    const handle = world.memory.outputs.keep(frame.call, asked.content);
    const result = { handle, ...describeContent(asked.content, asked.preview) };
    const outcome = await world.effects.journal.run(frame, {
      ...readAction(STORE_TOOL, call, admitted),
      act: async () => ({ result, facts: { action: "tool" }, spent: { toolCalls: 1 } }),
    });
    return outcome.kind === "ok" ? succeed(outcome.value.result) : outcome;
  },
};

interface Asked {
  readonly content: JsonValue;
  readonly preview: number;
}

const isPreview = isCountWithin({ least: 1, most: OUTPUT_PREVIEW_BYTES_MAX });

/** A document may give the tool another schema, so the input is checked here, too. */
function readAsked(input: JsonValue): Asked | undefined {
  if (!isPlainObject(input) || !Object.hasOwn(input, "content")) return undefined;
  const { content = null, preview = OUTPUT_PREVIEW_BYTES_MAX, ...unknown } = input;
  if (!isPreview(preview) || Object.keys(unknown).length > 0) return undefined;
  return { content, preview };
}
