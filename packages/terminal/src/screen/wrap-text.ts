import { measureText } from "./line.ts";

/**
 * Breaks a text after so many cells, wherever that is. A terminal would do so too, and begin the
 * next row at its edge, where foreign words could pass for ours.
 */
export function wrapText(text: string, cells: number): string[] {
  const parts = [""];
  let used = 0;
  for (const character of text) {
    const taken = measureText(character);
    if (used + taken > cells) {
      parts.push("");
      used = 0;
    }
    parts[parts.length - 1] += character;
    used += taken;
  }
  return parts;
}
