/**
 * The notes of an agent: its task, the parts that it named, the actions that it carried out, and
 * the words of its model.
 *
 * The parts stand in a list, the current one first. A part that is broken down comes after its own
 * parts.
 */
import type { Mapping } from "@turnseal/protocol";
import type { Sources } from "./compiling.ts";
import type { CONTEXTS } from "./tables.ts";

/** Parts that are open at once: the notes of a scope have room for them. */
export const PARTS_MAX = 48;

/** The verbs of the agent itself, beside those that mean a loop. */
export const NOTE_VERBS: Readonly<Record<string, string>> = {
  note: "keep the words of its target in mind",
  breakdown: "part the task: its target and its arguments are the parts, in order",
  done: "a part is finished: its target is the part, the current one without it",
};

/** The notes by their key, and the fields of the decision's input that list them. */
export const OWN_NOTES: Readonly<Record<string, string>> = {
  done: "ended",
  note: "noted",
  start: "begun",
  task: "named",
};

/** The words for an action, as it is counted and noted: its verb and its target. */
export const keyOf = (action: string): string =>
  `(${action}.verb + (has(${action}.target) ? " " + ${action}.target : ""))`;
const LEFT = "(last == null ? [] : last.left)";

/** The notes of the turn before, and of the first turn its task. */
export function sendNotes(strategy: (typeof CONTEXTS)[number]): Sources {
  if (strategy === "none") return {};
  return {
    ended: { cel: "last == null ? [] : last.ended" },
    noted: { cel: "last == null ? [] : last.noted" },
    begun: { cel: "last == null ? [input.task] : last.begun" },
    // A tree has only the way to the current part.
    ...(strategy === "task_list" ? { named: { cel: "last == null ? [] : last.left" } } : {}),
  };
}

/** First what the decision says of its parts. */
export function startParts(): Mapping {
  const actions = "decision.output.actions";
  const asked = `${actions}.filter(a, a.verb == "breakdown")`;
  const args = `${asked}.map(a, has(a.args), a.args)`;
  const others = `${args}.size() == 0 ? [] : ${args}[0]`;
  const parts = `${asked}.map(a, has(a.target), a.target) + (${others})`;
  const done = `${actions}.filter(a, a.verb == "done")`;
  const named = `${done}.map(a, has(a.target) ? a.target : "")`;
  const reason = 'has(a.error.reason) ? " " + a.error.reason : ""';
  const status = `a.status == "ok" ? ": ok" : ": " + a.error.code + (${reason})`;
  const told = `acts.output.map(a, has(a.status), ${keyOf("a")} + (${status}))`;
  const isNamed = `${named}.exists(d, d in ${LEFT})`;
  // Words that name no part mean the current one.
  const ended = `${isNamed} ? ${LEFT}.filter(t, t in ${named}) : [${LEFT}[0]]`;
  return {
    parts: { cel: parts },
    ended: { cel: `${done}.size() == 0 || ${LEFT}.size() == 0 ? [] : (${ended})` },
    noted: {
      cel: `${told} + ${actions}.map(a, a.verb == "note" && has(a.target), a.target)`,
    },
  };
}

/** Then what is left by it. */
export function countParts(): Mapping {
  const kept = `${LEFT}.filter(t, !(t in parts.output.ended))`;
  const fresh = `parts.output.parts.filter(p, !(p in ${kept}))`;
  const left = `(${fresh}.size() + ${kept}.size() > ${PARTS_MAX} ? ${kept} : ${fresh} + ${kept})`;
  const isNew = `(${LEFT}.size() == 0 || ${left}[0] != ${LEFT}[0])`;
  const pass = ["done", "answer", "actions", "results", "did", "same", "failed", "stuck"];
  return {
    ...Object.fromEntries(
      [...pass, "ended", "noted"].map((field) => [field, `$.parts.output.${field}`]),
    ),
    left: { cel: left },
    begun: { cel: `${left}.size() > 0 && ${isNew} ? [${left}[0]] : []` },
  };
}
