/** A JSON Pointer to what stands under these keys. */
export function formatPointer(keys: readonly (string | number)[]): string {
  return keys.map((key) => `/${escapeName(String(key))}`).join("");
}

/** The keys of a pointer's segment, or of a name in one: the other way round. */
export function readSegment(segment: string): string {
  return segment.replaceAll("~1", "/").replaceAll("~0", "~");
}

function escapeName(name: string): string {
  return name.replaceAll("~", "~0").replaceAll("/", "~1");
}
