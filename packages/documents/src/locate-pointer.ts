import { readSegment } from "@turnseal/protocol";
import type { Node } from "jsonc-parser";
import type { Position } from "./finding.ts";

/**
 * Where a JSON Pointer leads in a text; if a part of it is not there, the closest thing around it.
 */
export function locatePointer(text: string, root: Node, pointer: string): Position {
  let node = root;
  let offset = root.offset;
  for (const segment of parsePointer(pointer)) {
    const found = findChild(node, segment);
    if (found === undefined) break;
    ({ node, offset } = found);
  }
  return positionAt(text, offset);
}

/** The line and column of an offset. */
export function positionAt(text: string, offset: number): Position {
  const before = text.slice(0, offset);
  const lineStart = before.lastIndexOf("\n") + 1;
  return { line: before.split("\n").length, column: offset - lineStart + 1 };
}

function parsePointer(pointer: string): string[] {
  const [, ...segments] = pointer.split("/");
  return segments.map(readSegment);
}

// A field is located at its key: that is where a reader looks for it.
function findChild(node: Node, segment: string): { node: Node; offset: number } | undefined {
  if (node.type === "array") {
    const item = node.children?.[Number(segment)];
    return item === undefined ? undefined : { node: item, offset: item.offset };
  }
  const property = node.children?.find((child) => child.children?.[0]?.value === segment);
  const value = property?.children?.[1];
  if (property === undefined || value === undefined) return undefined;
  return { node: value, offset: property.offset };
}
