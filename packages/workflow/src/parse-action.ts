/** An action as a text: a verb, and words, which quotes may join. */

/** A word as it is written: variables in it are put in later, and never split it. */
export interface Action {
  readonly verb: string;
  /** The first word after the verb that is no option. */
  readonly target: string | undefined;
  readonly args: readonly string[];
}

export type ParsedAction =
  | { readonly kind: "parsed"; readonly action: Action }
  | { readonly kind: "refused"; readonly message: string; readonly mend: string };

/** Reads `edit {file} 'fix issues'`. */
export function parseAction(text: string): ParsedAction {
  const words = splitWords(text);
  if (words === undefined)
    return { kind: "refused", message: "a quote is not closed", mend: "close it, or remove it" };
  const [verb = "", ...others] = words;
  if (!/^[A-Za-z][\w.-]*$/.test(verb))
    return {
      kind: "refused",
      message: `an action begins with a verb, not with \`${verb}\``,
      mend: "write the name of a tool first, such as view {file}",
    };
  const at = others.findIndex((word) => !word.startsWith("-"));
  const args = others.filter((_, index) => index !== at);
  return { kind: "parsed", action: { verb, target: others[at], args } };
}

// A word is made of pieces that stand without a space between them.
const PIECE = /\s*(?:"((?:[^"\\]|\\.)*)"|'([^']*)'|([^\s"']+))/y;

/** The words of a text; undefined if a quote is left open. */
export function splitWords(text: string): string[] | undefined {
  const words: string[] = [];
  const end = text.trimEnd().length;
  let at = 0;
  while (at < end) {
    PIECE.lastIndex = at;
    const found = PIECE.exec(text);
    if (found === null) return undefined;
    const [whole, double, single, plain] = found;
    const piece = double?.replaceAll(/\\(.)/g, "$1") ?? single ?? plain ?? "";
    if (/^\s/.test(whole) || words.length === 0) words.push(piece);
    else words.push(`${words.pop() ?? ""}${piece}`);
    at = PIECE.lastIndex;
  }
  return words;
}
