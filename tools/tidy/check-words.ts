/** Words with a meaning only for their writer: a reader of the repository cannot follow them. */
import type { Tree } from "./tree.ts";

const privateWords: readonly { readonly what: string; readonly pattern: RegExp }[] = [
  { what: "an id of a requirement", pattern: /\b[LDRPMXCOZ]-[A-Z]?\d{2}\b/ },
  { what: "a number of an issue", pattern: /\bissues? #?\d+\b/i },
  { what: "a path of one machine", pattern: /(^|[\s"'`(=:])\/(home|work|root|Users|tmp)\/[a-z]/m },
  { what: "a path of one machine", pattern: /(^|[\s"'`(])shared\/[a-z-]+/m },
  {
    what: "an address of a package registry",
    pattern: /https?:\/\/[^\s"'/]*(registry|npm)[^\s"'/]*/,
  },
];

/** The public home of a package may be linked; a registry that one machine uses may not. */
const publicAddress = /https:\/\/(www\.npmjs\.com|docs\.npmjs\.com)/g;

export function checkWords(tree: Tree): string[] {
  return [...tree].flatMap(([path, text]) => {
    const checked = text.replaceAll(publicAddress, "");
    return privateWords.flatMap(({ what, pattern }) => {
      const match = pattern.exec(checked);
      return match === null ? [] : [`${path} holds ${what}: ${match[0].trim()}`];
    });
  });
}
