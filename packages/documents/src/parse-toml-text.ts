/**
 * TOML as plain JSON, with the position of everything in it.
 *
 * 1. Values that JSON lacks are refused: dates, infinities, and whole numbers that are not exact.
 * 2. It never throws for a bad text of any size or depth.
 */
import { copyJson, JSON_DEPTH_MAX } from "@turnseal/protocol";
import { parse } from "smol-toml";
import type { Finding, Position } from "./finding.ts";
import { listTomlPlaces, type TomlPlaces } from "./list-toml-places.ts";
import { positionAt } from "./locate-pointer.ts";
import { FILE_BYTES_MAX } from "./read-text.ts";

export type ParsedToml =
  | {
      readonly kind: "parsed";
      readonly value: unknown;
      /** The position of what a JSON Pointer names, or of the closest thing around it. */
      readonly locate: (pointer: string) => Position;
    }
  | {
      readonly kind: "refused";
      readonly problem: Pick<Finding, "rule" | "path" | "message" | "mend">;
      readonly position: Position;
    };

/** Reads a TOML text. */
export function parseTomlText(text: string): ParsedToml {
  const parsed = parseSafely(text);
  if (parsed.kind === "refused") return parsed;
  const places = listTomlPlaces(text);
  const locate = (pointer: string): Position => positionAt(text, findOffset(places, pointer));
  const copied = copyJson(parsed.value, FILE_BYTES_MAX, JSON_DEPTH_MAX);
  if (copied.kind === "copied") return { kind: "parsed", value: copied.value, locate };
  const [path = ""] = /^\/\S*/.exec(copied.reason) ?? [];
  const mend = "write texts, exact numbers, truth values, lists and tables";
  return refuse(`a value ${copied.reason}`, mend, locate(path));
}

type Parsed =
  | { readonly kind: "parsed"; readonly value: unknown }
  | (ParsedToml & { kind: "refused" });

function parseSafely(text: string): Parsed {
  try {
    const value = parse(text, {
      integersAsBigInt: "asNeeded",
      unsafeKeyBehaviour: "throw",
      maxDepth: JSON_DEPTH_MAX,
    });
    return { kind: "parsed", value };
  } catch (error) {
    const { line = 1, column = 1 } = Object(error) as Partial<Position>;
    const [first = ""] = error instanceof Error ? error.message.split("\n") : [];
    const message = first.replace(/^Invalid TOML document: /, "") || "not TOML";
    return refuse(message, 'write it as TOML, such as name = "value"', { line, column });
  }
}

function refuse(
  message: string,
  mend: string,
  position: Position,
): ParsedToml & { kind: "refused" } {
  return { kind: "refused", problem: { rule: "toml", path: "", message, mend }, position };
}

/** The offset of what a pointer names, or of the closest thing around it. */
function findOffset(places: TomlPlaces, pointer: string): number {
  for (let part = pointer; part !== ""; part = part.slice(0, part.lastIndexOf("/"))) {
    const offset = places.get(part);
    if (offset !== undefined) return offset;
  }
  return 0;
}
