/** The notes that a call of a prompt begins with: those of its author, then those of its input. */
import { ROOT_PLACE } from "@turnseal/folds";
import { isPlainObject, type JsonValue, type NoteSpec, type PromptSpec } from "@turnseal/protocol";
import { isListOf } from "@turnseal/protocol/shape";
import { cutBytes } from "../context/preview-output.ts";
import { NOTE_BYTES_MAX, TASK_NOTES_MAX } from "../limits.ts";
import { fail, type Outcome, succeed } from "../outcome.ts";
import type { Frame } from "../resume/frame.ts";
import type { World } from "../world.ts";
import type { Notes } from "./notes.ts";

interface Beginning {
  readonly prompt: PromptSpec;
  readonly input: JsonValue;
  readonly notes: Notes;
}

/** Reads the notes of the scope, and adds those that the call begins with. */
export async function beginNotes(
  { prompt, input, notes }: Beginning,
  { frame, world }: { readonly frame: Frame; readonly world: World },
): Promise<Outcome<true>> {
  if (!(await notes.settle(frame))) return { kind: "paused" };
  await notes.open(frame);
  if (world.control?.continues === true && frame.place === ROOT_PLACE) return succeed(true);
  const given = listGiven(prompt, input);
  if (given === undefined)
    return fail("INPUT_VALIDATION_FAILED", `notes are lists of at most ${TASK_NOTES_MAX} texts`);
  const own = prompt.notes ?? [];
  for (const [index, note] of own.entries()) {
    const { answer, write } = notes.plan(frame, note, { by: "author", index });
    if (answer.kind === "refused")
      return fail("BUDGET_EXCEEDED", "the run has no room for the notes of the prompt");
    write();
  }
  // Their words may be a model's: they push out nothing of the author's, nor end the prompt.
  for (const [index, note] of given.entries())
    notes.plan(frame, note, { by: "tool", index: own.length + index }).write();
  return succeed(true);
}

/**
 * The notes that the input lists, by key in order, each cut to its room; undefined where a field
 * holds no list of texts, or all together are too many.
 */
function listGiven({ notesFrom = {} }: PromptSpec, input: JsonValue): NoteSpec[] | undefined {
  const given: NoteSpec[] = [];
  for (const key of Object.keys(notesFrom).sort()) {
    const field = notesFrom[key] ?? "";
    if (!isPlainObject(input) || !Object.hasOwn(input, field)) continue;
    const texts = input[field];
    if (!areTexts(texts) || given.length + texts.length > TASK_NOTES_MAX) return undefined;
    given.push(...texts.map((text) => ({ key, text: cutBytes(text, NOTE_BYTES_MAX) })));
  }
  return given.filter(({ text }) => text !== "");
}

const areTexts = isListOf((value: unknown): value is string => typeof value === "string");
