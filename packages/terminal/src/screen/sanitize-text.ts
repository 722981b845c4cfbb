/**
 * Makes foreign text safe to show.
 *
 * Texts of models, tools and documents may hold escape sequences that move the cursor, rewrite
 * earlier lines or change the title of the window. They may also hold marks that reverse the
 * reading direction. They never reach a terminal: each is shown as an escape, which a reader can
 * see and a program cannot obey.
 */

// C0 and C1 controls, DEL, line and paragraph separators, and every mark that changes the direction
// of text.
const hidden = /[\u0000-\u001f\u007f-\u009f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]/g;

const shortEscapes: ReadonlyMap<string, string> = new Map([
  ["\n", "\\n"],
  ["\r", "\\r"],
  ["\t", "\\t"],
]);

/** One line of text in which every control character is visible. */
export function sanitizeText(text: string): string {
  return text
    .toWellFormed()
    .replace(hidden, (character) => shortEscapes.get(character) ?? escapeCharacter(character));
}

/**
 * JSON that is safe to show, and still the same value: what `JSON.stringify` leaves raw becomes an
 * escape too.
 */
export function renderJson(value: unknown, indent?: number): string {
  return JSON.stringify(value, undefined, indent).replace(hidden, (character) =>
    character === "\n" ? character : escapeCharacter(character),
  );
}

function escapeCharacter(character: string): string {
  return `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`;
}

/** Writes a value as JSON, in one line unless there is an indent. */
export function writeJson(
  { writeText }: { readonly writeText: (text: string) => void },
  value: unknown,
  indent?: number,
): void {
  writeText(`${renderJson(value, indent)}\n`);
}
