/** A document as it is checked: plain JSON within its limits, or a refusal. */
import { canonicalize, isLoopError, JSON_DEPTH_MAX, type JsonValue } from "@turnseal/protocol";
import { DOCUMENT_BYTES_MAX, DOCUMENT_DEPTH_MAX } from "../limits.ts";
import { deepFreeze } from "../values/deep-freeze.ts";
import type { Report } from "./report.ts";
import { utf8Length } from "./utf8-length.ts";

/** A private copy: a definition must keep its digest. */
export function copyDocument(document: unknown, report: Report): unknown {
  try {
    const text = measureRoom(document, DOCUMENT_BYTES_MAX) < 0 ? undefined : canonicalize(document);
    if (text !== undefined && utf8Length(text) <= DOCUMENT_BYTES_MAX) {
      const copy = JSON.parse(text) as JsonValue;
      return nestsWithin(copy, DOCUMENT_DEPTH_MAX) ? deepFreeze(copy) : refuseDepth(report);
    }
  } catch (error) {
    const reason = isLoopError(error) ? error.message : "it cannot be read";
    report.refuse({
      rule: "json",
      path: "",
      message: `the document is not plain JSON: ${reason}`,
      mend: "write plain JSON",
    });
    return undefined;
  }
  report.refuse({
    rule: "document-size",
    path: "",
    message: `the document is larger than ${DOCUMENT_BYTES_MAX} bytes`,
    mend: "make it smaller",
  });
  return undefined;
}

function nestsWithin(value: JsonValue, depthMax: number): boolean {
  if (typeof value !== "object" || value === null) return true;
  return depthMax > 0 && Object.values(value).every((each) => nestsWithin(each, depthMax - 1));
}

function refuseDepth(report: Report): undefined {
  report.refuse({
    rule: "document-size",
    path: "",
    message: `the document nests deeper than ${DOCUMENT_DEPTH_MAX}`,
    mend: "make it flatter",
  });
}

/**
 * Returns the bytes of `room` left after a value is written out. A shared part counts each time it
 * is reached. Values that nest too deep are refused later.
 */
function measureRoom(value: unknown, room: number, depth = 0): number {
  if (typeof value === "string") return room - value.length - 2;
  if (typeof value !== "object" || value === null || depth > JSON_DEPTH_MAX) return room - 1;
  const keys = Object.keys(value);
  // Brackets and commas count first, so that a long list that holds itself ends soon.
  let left = room - keys.length - 1;
  for (const key of keys) {
    if (left < 0) break;
    const nameBytes = Array.isArray(value) ? 0 : key.length + 3;
    left = measureRoom((value as Record<string, unknown>)[key], left - nameBytes, depth + 1);
  }
  return left;
}
