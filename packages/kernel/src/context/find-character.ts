/** The beginning of the character at a place in UTF-8. */
export function findCharacter(bytes: Uint8Array, place: number): number {
  let start = place;
  while (start > 0 && isInside(bytes, start)) start -= 1;
  return start;
}

/** True for the second and later bytes of a character. */
export function isInside(bytes: Uint8Array, at: number): boolean {
  return ((bytes[at] ?? 0) & 0xc0) === 0x80;
}
