/**
 * Parses a plain-text answer of a model: a plain function from lines to actions.
 *
 * A line whose first word is a verb is an action, and any other line is prose. The verbs are data.
 */
import { splitWords } from "./parse-action.ts";

/** The loops of verbs, each with the words that mean it. */
export type Verbs = Readonly<Record<string, readonly string[]>>;

export const VERBS_DEFAULT: Verbs = {
  view: ["view", "show"],
  analyze: ["analyze", "check"],
  edit: ["edit", "fix"],
};
/** The words that say that nothing is left to do. */
export const DONE_WORDS: readonly string[] = ["done", "finished"];

/** The meaning of a line. */
export interface Intent {
  readonly verb: string;
  readonly target?: string;
  readonly args: readonly string[];
}

export interface Decision {
  readonly thinking: string;
  readonly actions: readonly Intent[];
  readonly done: boolean;
}

/** The loop, or `done`, that a word means. */
export function findVerb(word: string, verbs: Verbs): string | undefined {
  const plain = word.toLowerCase();
  if (DONE_WORDS.includes(plain)) return "done";
  return Object.entries(verbs).find(([, words]) => words.includes(plain))?.[0];
}

/** The intent of a line: an unknown verb becomes `unknown`, with the line as its target. */
export function parseIntent(line: string, verbs: Verbs): Intent {
  const text = line.trim();
  // A model forgets quotes; its words are then taken as they stand.
  const [word = "", ...others] = splitWords(text) ?? text.split(/\s+/);
  const verb = findVerb(word, verbs);
  if (verb === undefined) return { verb: "unknown", target: text, args: [] };
  if (TAKES_LINE.includes(verb)) return takeLine(verb, text.slice(word.length).trim());
  const at = others.findIndex((other) => !other.startsWith("-"));
  const target = others[at];
  const args = others.filter((_, index) => index !== at);
  return { verb, ...(target === undefined ? {} : { target }), args };
}

/** Verbs whose target is the rest of their line. */
const TAKES_LINE: readonly string[] = ["done", "note"];

function takeLine(verb: string, target: string): Intent {
  return { verb, ...(target === "" ? {} : { target }), args: [] };
}

/** True for a line that says that one part is done, where parts have a verb of their own. */
function isPart({ verb, target }: Intent, verbs: Verbs): boolean {
  return verb === "done" && target !== undefined && Object.hasOwn(verbs, "done");
}

/** Reads an answer line by line. Actions count, even beside a `done`. */
export function parseDecision(text: string, verbs: Verbs): Decision {
  const prose: string[] = [];
  const actions: Intent[] = [];
  let done = false;
  for (const line of text.split("\n").filter((one) => one.trim() !== "")) {
    const intent = parseIntent(line, verbs);
    if (isPart(intent, verbs)) actions.push(intent);
    else if (intent.verb === "done") done = true;
    else if (intent.verb === "unknown") prose.push(line.trim());
    else actions.push(intent);
  }
  return { thinking: prose.join("\n"), actions, done };
}
