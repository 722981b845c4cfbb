/**
 * Each public name is a promise, so that somebody must need it: an example, a template or a guide
 * uses it in code. A type may also be named in a sentence of a guide.
 */
import type { Tree } from "../tidy/tree.ts";
import type { DescribedEntry } from "./list-names.ts";

const SHOWN = [
  /^README\.md$/,
  /^docs\/(guide|operate|recipes)\/.*\.md$/,
  /^(examples|templates)\/.*\.(ts|tsx|md)$/,
  /^(packages|apps)\/[^/]+\/README\.md$/,
];

/** The public names that no example and no guide uses. */
export function checkPublicNames(entries: readonly DescribedEntry[], tree: Tree): string[] {
  const texts = [...tree]
    .filter(([path]) => SHOWN.some((shown) => shown.test(path)))
    .map(([, text]) => codeOf(text));
  const words = new Set(texts.flatMap((text) => text.match(/\w+/g) ?? []));
  return entries.flatMap(({ specifier, names }) =>
    names
      .filter(({ name }) => !words.has(name))
      .map(({ name }) => `${specifier} exports ${name}, which no example and no guide uses`),
  );
}

/** Code between fences and between single quotes of code; a program is code as a whole. */
function codeOf(text: string): string {
  if (!text.includes("```")) return text.startsWith("#") ? inline(text) : text;
  const fences = [...text.matchAll(/^```\w+[^\n]*\n(.*?)^```/gms)].map(([, code = ""]) => code);
  return [...fences, inline(text)].join("\n");
}

function inline(text: string): string {
  return [...text.matchAll(/`([^`\n]+)`/g)].map(([, code = ""]) => code).join("\n");
}
