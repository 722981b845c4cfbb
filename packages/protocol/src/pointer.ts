import type { JsonValue } from "./canonical-json.ts";

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

/**
 * The keys of a JSON Pointer (RFC 6901) to something inside a value; undefined for another text.
 */
export function parsePointer(pointer: string): readonly string[] | undefined {
  if (!pointer.startsWith("/") || /~(?![01])/.test(pointer)) return undefined;
  return pointer.slice(1).split("/").map(readSegment);
}

/** The value under these keys; undefined if there is none. Only own fields are read. */
export function readPointer(value: JsonValue, keys: readonly string[]): JsonValue | undefined {
  let current: JsonValue | undefined = value;
  for (const key of keys) {
    if (typeof current !== "object" || current === null || !Object.hasOwn(current, key))
      return undefined;
    if (Array.isArray(current) && !/^(0|[1-9]\d*)$/.test(key)) return undefined;
    current = (current as Readonly<Record<string, JsonValue>>)[key];
  }
  return current;
}
