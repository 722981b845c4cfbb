/** Checks the shape of a prompt's notes (spec/loop.md §2.16). */
import { isPlainObject } from "../canonical-json.ts";
import { checkFields, type FieldRule, type Report } from "./check-fields.ts";
import { isNoteKey, NAMED_LIFETIMES, SCOPE_MODES } from "./note-spec.ts";

const noteFields: Record<string, FieldRule> = {
  key: { type: "text", required: true },
  text: { type: "text", required: true },
  lifetime: { type: "text" },
  rounds: { type: "count" },
};

export function checkNotes(prompt: Record<string, unknown>, report: Report): void {
  const { notes, scope } = prompt;
  if (typeof scope === "string" && scope !== "" && !isOneOf(SCOPE_MODES, scope))
    refuse("/prompt/scope", `one of ${SCOPE_MODES.join(", ")}`, report);
  if (!Array.isArray(notes)) return;
  notes.forEach((note: unknown, index) => {
    if (isPlainObject(note)) checkNote(note, `/prompt/notes/${index}`, report);
  });
}

function checkNote(note: Record<string, unknown>, path: string, report: Report): void {
  checkFields(note, noteFields, path, report);
  const { key, lifetime, rounds } = note;
  if (typeof key === "string" && key !== "" && !isNoteKey(key))
    refuse(`${path}/key`, "1 to 32 letters, digits, - and _", report);
  if (typeof lifetime === "string" && lifetime !== "" && !isOneOf(NAMED_LIFETIMES, lifetime))
    refuse(`${path}/lifetime`, `one of ${NAMED_LIFETIMES.join(", ")}`, report);
  if (lifetime !== undefined && rounds !== undefined)
    refuse(path, "a note with `lifetime` or with `rounds`", report);
}

function isOneOf(list: readonly string[], value: string): boolean {
  return list.includes(value);
}

function refuse(path: string, expected: string, report: Report): void {
  report.refuse({
    rule: "field-type",
    path,
    message: `${path.slice(1)} must be ${expected}`,
    mend: `write ${expected}`,
  });
}
