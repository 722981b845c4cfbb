/** The tool with which a model, or a step, writes a note of the run. */
import { isNoteKey, type JsonValue, NAMED_LIFETIMES, NOTE_TOOL } from "@turnseal/protocol";
import { hasFields, isCountWithin, isOneOf, isText } from "@turnseal/protocol/shape";
import { utf8Length } from "../definition/utf8-length.ts";
import { NOTE_BYTES_MAX, NOTE_ROUNDS_MAX } from "../limits.ts";
import type { Notes, PlannedNote } from "../notes/notes.ts";
import { fail, succeed } from "../outcome.ts";
import type { Frame } from "../resume/frame.ts";
import { admitRead, type BuiltIn, readAction } from "./built-in.ts";

/** Writes a note, or drops one. */
export const writeNote: BuiltIn = {
  name: NOTE_TOOL,
  admit: admitRead(NOTE_TOOL),
  run: async (call, admitted) => {
    const { input, frame, world } = call;
    if (world.kind === "call")
      return fail("POLICY_DENIED", "a note needs a run", { denial: "run-missing" });
    const { notes } = world.memory;
    if (!(await notes.settle(frame))) return { kind: "paused" };
    const planned = planAsked(input, frame, notes);
    if (planned === undefined)
      return fail("INPUT_VALIDATION_FAILED", `${NOTE_TOOL} takes a key and a text, or drop`);
    const { answer } = planned;
    const result = answer.kind === "written" ? { note: answer.note } : { error: answer.error };
    const outcome = await world.effects.journal.run(frame, {
      ...readAction(NOTE_TOOL, call, admitted),
      act: async () => ({ result, facts: { action: "tool" }, spent: { toolCalls: 1 } }),
    });
    if (outcome.kind !== "ok") return outcome;
    planned.write();
    return succeed(outcome.value.result);
  },
};

const isDrop = hasFields({ drop: isText });
const isNote = hasFields(
  { key: isText, text: isText },
  {
    lifetime: isOneOf(NAMED_LIFETIMES),
    rounds: isCountWithin({ least: 1, most: NOTE_ROUNDS_MAX }),
  },
);

/** A document may give the tool another schema, so the input is checked here, too. */
function planAsked(input: JsonValue, frame: Frame, notes: Notes): PlannedNote | undefined {
  if (isDrop(input)) return notes.planDrop(frame, input.drop);
  if (!isNote(input)) return undefined;
  const { key, text, lifetime, rounds } = input;
  if (!isNoteKey(key) || text === "" || utf8Length(text) > NOTE_BYTES_MAX) return undefined;
  if (lifetime !== undefined && rounds !== undefined) return undefined;
  return notes.plan(frame, input, { by: "tool", index: 0 });
}
