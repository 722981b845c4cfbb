/** Notes written one after the other, as a scope keeps them. */
import type { NoteSpec, Strategy } from "@turnseal/protocol";
import { openScope } from "../values/scope.ts";
import { readLifetime, readNoteKey } from "./note-terms.ts";
import { planNote } from "./plan-note.ts";
import type { SaidNote } from "./said-note.ts";

/** `key text`, or with a lifetime. */
export type Line = string | NoteSpec;

export interface SampleNotes {
  readonly notes: readonly SaidNote[];
  /** The ended notes, in order, as `why text`; `full` and `known` for notes that were not added. */
  readonly ended: readonly string[];
}

export function writeNotes(strategy: Strategy, lines: readonly Line[], from = 0): SampleNotes {
  const { room } = openScope(
    { template: "", variables: [], context: { strategy } },
    "/",
    undefined,
  );
  let notes: SaidNote[] = [];
  const ended: string[] = [];
  for (const [index, line] of lines.entries()) {
    const spec = typeof line === "string" ? toSpec(line) : line;
    const key = readNoteKey(spec.key);
    const { lifetime, rounds } = readLifetime(spec, key);
    const digest = spec.text;
    const planned = planNote(notes, { key, digest, lifetime, by: "tool" }, room);
    if (planned.kind !== "added") {
      ended.push(`${planned.kind} ${spec.text}`);
      continue;
    }
    for (const { note, why } of planned.ended) {
      ended.push(`${why} ${notes.find(({ id }) => id === note)?.words.text}`);
      notes = notes.filter(({ id }) => id !== note);
    }
    notes.push({
      ...{ id: `n${from + index}`, key, by: "tool", lifetime, words: spec },
      text: { digest: digest as `hmac-sha256:${string}`, size: 1, mediaType: "application/json" },
      ...(rounds === undefined ? {} : { until: rounds }),
      ...(planned.task === undefined ? {} : { task: planned.task }),
    });
  }
  return { notes, ended };
}

function toSpec(line: string): NoteSpec {
  const space = line.indexOf(" ");
  return { key: line.slice(0, space), text: line.slice(space + 1) };
}
