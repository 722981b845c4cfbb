/**
 * Messages, help and manuals name the thing that they are about. A sentence about `nobody` or
 * `whoever` leaves out the word that its reader would search for: authentication, expired, PID.
 *
 * Code is held to it in its string literals, manuals in every line. Comments, tests and pages about
 * decisions are not.
 */
import ts from "typescript";
import { parseSource, placeOf, visitNodes } from "./parse-source.ts";
import type { Tree } from "./tree.ts";

const vague = /\b(?:nobody|somebody|anybody|whoever|is said to be|over for|a no(?= |$))\b/i;

/** What users read, beside what the programs print. */
const manuals = /^(?:README|SECURITY)\.md$|^docs\/(?:guide|operate|recipes)\/|^docs\/errors\.md$/;
const sources = /^(?:apps|packages)\/[^/]+\/src\/.*\.tsx?$/;
const untold =
  /\.test(?:-d)?\.|\/__fixtures__\/|-contract\.|^packages\/conformance\/|\/conformance\//;

/**
 * Words of the kernel that stand in the logs of runs: another word would be another event when such
 * a run is resumed or replayed.
 */
const recorded: ReadonlySet<string> = new Set([
  "nobody can tell whether the limit ",
  "nobody knows what ",
]);

export function checkPlainWords(tree: Tree): string[] {
  return [...tree].flatMap(([path, text]) => {
    if (manuals.test(path)) return checkManual(path, text);
    return sources.test(path) && !untold.test(path) ? checkLiterals(tree, path) : [];
  });
}

function checkManual(path: string, text: string): string[] {
  return text.split("\n").flatMap((line, index) => report(`${path}:${index + 1}`, line));
}

function checkLiterals(tree: Tree, path: string): string[] {
  const found: string[] = [];
  visitNodes(parseSource(tree, path), (node) => {
    const isText = ts.isStringLiteralLike(node) || ts.isTemplateLiteralToken(node);
    // A word without a sentence is a name.
    if (!isText || !node.text.includes(" ") || recorded.has(node.text)) return;
    found.push(...report(placeOf(node), node.text));
  });
  return found;
}

function report(place: string, text: string): string[] {
  const match = vague.exec(text);
  return match === null ? [] : [`${place} says "${match[0]}": name the thing`];
}
