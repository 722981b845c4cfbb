/**
 * What a model means that answers in plain text: a plain function from lines to actions.
 *
 * A line whose first word is a verb is an action, and any other line is prose. Which words are
 * verbs is data.
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

/** What a line means. */
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

/** What a line asks for: a verb that is not known is `unknown`, with the line as its target. */
export function parseIntent(line: string, verbs: Verbs): Intent {
  const text = line.trim();
  // A model forgets quotes; its words are then taken as they stand.
  const [word = "", ...others] = splitWords(text) ?? text.split(/\s+/);
  const verb = findVerb(word, verbs);
  if (verb === undefined) return { verb: "unknown", target: text, args: [] };
  const at = others.findIndex((other) => !other.startsWith("-"));
  const target = others[at];
  const args = others.filter((_, index) => index !== at);
  return { verb, ...(target === undefined ? {} : { target }), args };
}

/** Reads an answer line by line. Actions stand whatever is said of being done. */
export function parseDecision(text: string, verbs: Verbs): Decision {
  const prose: string[] = [];
  const actions: Intent[] = [];
  let done = false;
  for (const line of text.split("\n").filter((one) => one.trim() !== "")) {
    const intent = parseIntent(line, verbs);
    if (intent.verb === "done") done = true;
    else if (intent.verb === "unknown") prose.push(line.trim());
    else actions.push(intent);
  }
  return { thinking: prose.join("\n"), actions, done };
}
