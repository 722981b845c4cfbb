/**
 * A foreign value as a text: itself, or its JSON. `String` calls what the value names `toString`,
 * and throws where that is no function.
 */
export function textOf(value: unknown): string {
  return typeof value === "string" ? value : (JSON.stringify(value) ?? "");
}

/**
 * True for text that every store keeps as it is: not empty, not too long, without NUL, and without
 * half of a surrogate pair. Names of roles, signals and people are such texts.
 */
export function isPlainText(value: unknown, lengthMax: number): value is string {
  return (
    typeof value === "string" &&
    value !== "" &&
    value.length <= lengthMax &&
    value.isWellFormed() &&
    !value.includes("\0")
  );
}
