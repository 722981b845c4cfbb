/** Checks that a command printed what a page shows, with any ids, digests and times. */

const masks: readonly (readonly [RegExp, string])[] = [
  [/[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/g, "<run>"],
  [/sha256:[0-9a-f]+/g, "<digest>"],
  [/\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z/g, "<time>"],
  [/\b(?=[0-9a-f]*[0-9])[0-9a-f]{8}\b|\b[a-f]{8}\b/g, "<id>"],
  [/\b\d+ h \d+ min\b/g, "<while>"],
];

/** The first line of the page that was not printed, in its order; undefined where all were. */
export function findUnprinted(shown: string, printed: string, user: string): string | undefined {
  // A page says that it is ada who types.
  const lines = maskLines(printed.replaceAll(user, "ada"));
  let from = 0;
  for (const line of maskLines(shown)) {
    if (line.trim() === "..." || line === "") continue;
    const found = lines.indexOf(line, from);
    if (found === -1) return line;
    from = found + 1;
  }
  return undefined;
}

function maskLines(text: string): string[] {
  return text
    .split("\n")
    .map((line) =>
      masks.reduce((masked, [pattern, word]) => masked.replaceAll(pattern, word), line.trimEnd()),
    );
}
