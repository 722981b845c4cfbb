import { listVocabulary } from "./list-vocabulary.ts";
import { isTestFile, type Tree } from "./tree.ts";

/** Codes, rules, event types and maxima that no test and no vector names. */
export function checkNamedInTests(tree: Tree): string[] {
  const texts = [...tree].filter(([path]) => isEvidence(path)).map(([, text]) => text);
  const all = texts.join("\n");
  const { errorCodes, problemRules, eventTypes, limits } = listVocabulary(tree);
  const isWord = (word: string) => new RegExp(`\\b${word}\\b`).test(all);
  // A rule such as `json` is an everyday word: only a string that begins with it names it.
  const isQuoted = (word: string) => new RegExp(`["'\`]${word}["'\` ]`).test(all);
  return [
    ...[...errorCodes, ...limits].filter((word) => !isWord(word)),
    ...[...problemRules, ...eventTypes].filter((word) => !isQuoted(word)),
  ].map((word) => `no test names ${word}`);
}

function isEvidence(path: string): boolean {
  const isOfTools = /^(tools|proofs)\//.test(path);
  return (isTestFile(path) && !isOfTools) || /^spec\/vectors\/.*\.json$/.test(path);
}

/** Codes and rules that the list for operators leaves out. */
export function checkErrorList(tree: Tree): string[] {
  const list = tree.get("docs/errors.md");
  if (list === undefined) return ["docs/errors.md is missing"];
  const { errorCodes, problemRules } = listVocabulary(tree);
  return [...errorCodes, ...problemRules]
    .filter((code) => !list.includes(`\`${code}\``))
    .map((code) => `docs/errors.md does not list \`${code}\``);
}
