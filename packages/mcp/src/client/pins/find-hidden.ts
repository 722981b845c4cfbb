/** Characters that a model reads and a person does not see. */
import type { JsonValue } from "@turnseal/protocol";

// Emoji have one variation selector each; a run of them carries hidden text.
const SHOWN = String.raw`[\t\n\r]|\uFE0F(?!\uFE0F)`;
const KINDS = String.raw`\p{Cc}\p{Cf}\p{Co}\p{Cs}\p{Cn}\p{Default_Ignorable_Code_Point}`;
const HIDDEN = new RegExp(String.raw`(?!${SHOWN})[${KINDS}\u2028\u2029]`, "u");
const ALL_HIDDEN = new RegExp(HIDDEN, "gu");

/** The first hidden character in any text or name of a value, as `U+200B`. */
export function findHidden(value: JsonValue): string | undefined {
  if (typeof value === "string") {
    const [found] = HIDDEN.exec(value) ?? [];
    return found === undefined ? undefined : nameOf(found);
  }
  if (typeof value !== "object" || value === null) return undefined;
  const parts: readonly JsonValue[] = Array.isArray(value) ? value : Object.entries(value).flat();
  for (const part of parts) {
    const found = findHidden(part);
    if (found !== undefined) return found;
  }
  return undefined;
}

/** The text with every hidden character in words. */
export function showHidden(text: string): string {
  return text.replaceAll(ALL_HIDDEN, (found) => `<${nameOf(found)}>`);
}

function nameOf(found: string): string {
  const code = found.codePointAt(0) ?? 0;
  return `U+${code.toString(16).toUpperCase().padStart(4, "0")}`;
}
