/** The tool with which a model, or a step, writes a note of the run. */
import { isNoteKey, type JsonValue, NAMED_LIFETIMES, NOTE_TOOL } from "@turnseal/protocol";
import { hasFields, isCountWithin, isOneOf, isText } from "@turnseal/protocol/shape";
import type { CheckedLoop } from "../definition/check-loop.ts";
import { utf8Length } from "../definition/utf8-length.ts";
import { NOTE_BYTES_MAX, NOTE_ROUNDS_MAX } from "../limits.ts";
import type { Notes, PlannedNote } from "../notes/notes.ts";
import { fail, type Outcome, succeed } from "../outcome.ts";
import type { Frame } from "../resume/frame.ts";
import type { Action } from "../step/action.ts";
import type { World } from "../world.ts";
import { admitTool } from "./admit-tool.ts";

/** Writes a note, or takes one back. */
export async function writeNote(
  { definition: { id: loop, version } }: CheckedLoop,
  input: JsonValue,
  { frame, world }: { readonly frame: Frame; readonly world: World },
): Promise<Outcome<JsonValue>> {
  const tool = { name: NOTE_TOOL, version, effect: "read" } as const;
  const admission = admitTool(frame, tool, { args: input, needs: {} });
  if (admission.kind !== "ok") return admission;
  const { notes } = world;
  if (notes === undefined)
    return fail("POLICY_DENIED", "a note needs a run", { denial: "run-missing" });
  if (!(await notes.settle(frame))) return { kind: "paused" };
  const planned = planAsked(input, frame, notes);
  if (planned === undefined)
    return fail("INPUT_VALIDATION_FAILED", `${NOTE_TOOL} takes a key and a text, or drop`);
  const { terms, approvals } = admission.value;
  const { grant = {} } = frame;
  const { answer } = planned;
  const result = answer.kind === "written" ? { note: answer.note } : { error: answer.error };
  const action: Action = {
    kind: "tool",
    name: NOTE_TOOL,
    ordinal: 0,
    effect: "read",
    facts: {
      action: "tool",
      tool: NOTE_TOOL,
      build: "builtin",
      term: NOTE_TOOL,
      ...(terms.length === 0 ? {} : { terms: [...terms] }),
    },
    request: input,
    reserve: () => ({ toolCalls: 1 }),
    attempt: { toolCalls: 1 },
    judged: { loop, tool, args: input, grant, needs: {}, approvals },
    act: async () => ({ result, facts: { action: "tool" }, spent: { toolCalls: 1 } }),
  };
  const outcome = await world.journal.run(frame, action);
  if (outcome.kind !== "ok") return outcome;
  planned.write();
  return succeed(outcome.value.result);
}

const isDrop = hasFields({ drop: isText });
const isNote = hasFields(
  { key: isText, text: isText },
  {
    lifetime: isOneOf(NAMED_LIFETIMES),
    rounds: isCountWithin({ least: 1, most: NOTE_ROUNDS_MAX }),
  },
);

/** A document may give the tool another schema: what it is given is looked at here, too. */
function planAsked(input: JsonValue, frame: Frame, notes: Notes): PlannedNote | undefined {
  if (isDrop(input)) return notes.planDrop(frame, input.drop);
  if (!isNote(input)) return undefined;
  const { key, text, lifetime, rounds } = input;
  if (!isNoteKey(key) || text === "" || utf8Length(text) > NOTE_BYTES_MAX) return undefined;
  if (lifetime !== undefined && rounds !== undefined) return undefined;
  return notes.plan(frame, input, { by: "tool", index: 0 });
}
