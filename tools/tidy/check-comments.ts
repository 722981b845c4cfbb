/**
 * A comment names its subject. A sentence that begins with `What was ...` or `Whoever ...` makes
 * its reader find the noun: the message, the owner, the expired lease.
 */
import type { Tree } from "./tree.ts";

/** A clause as the subject of a sentence; a question may begin so. */
const clause = new RegExp(
  "^(?:What|Whoever|Whatever|Who|Wherever) (?!.*\\?$)[a-z].*" +
    "\\b(?:is|are|has|have|does|do|was|were|gets|goes|stays|may|can|must)\\b",
);
const vague = /\b(?:whoever|whatever|whosoever)\b/i;

export function checkComments(tree: Tree): string[] {
  return [...tree]
    .filter(([path]) => /\.tsx?$/.test(path) && !path.includes("__fixtures__"))
    .flatMap(([path, text]) =>
      listSentences(text)
        .filter((sentence) => clause.test(sentence) || vague.test(sentence))
        .map((sentence) => `${path}: "${sentence}": name the subject`),
    );
}

/** The sentences of all comments. */
export function listSentences(text: string): string[] {
  return listComments(text).flatMap((comment) =>
    comment
      .replaceAll(/`[^`]*`/g, "x")
      .split(/(?<=[.!?;:])\s+/)
      .map((sentence) => sentence.trim()),
  );
}

/** The words of each comment that has lines of its own; lines that follow each other are one. */
function listComments(text: string): string[] {
  const comments: string[][] = [];
  let isOpen = false;
  for (const line of text.split("\n")) {
    const [, said] = /^\s*(?:\/\/|\/\*+|\*(?!\/))\s?(.*)$/.exec(line) ?? [];
    if (said === undefined) isOpen = false;
    else if (isOpen && said.trim() !== "") comments.at(-1)?.push(said);
    else comments.push([said]);
    // An empty line between paragraphs ends a sentence.
    isOpen = said !== undefined && said.trim() !== "";
  }
  return comments.map((lines) => lines.join(" ").replace(/\*\/$/, "").trim());
}
