/**
 * A tool of a server, from its own words.
 *
 * 1. Only what a pin holds is kept.
 * 2. A tool that a person cannot review, or that no loop can be, is refused with the reason.
 */
import {
  copyJson,
  isPlainObject,
  isToolReference,
  type JsonObject,
  type JsonValue,
} from "@turnseal/protocol";
import { DESCRIPTION_LENGTH_MAX } from "../limits.ts";
import { findHidden } from "./find-hidden.ts";
import type { PinnedTool } from "./pin.ts";

export type ReadTool =
  | { readonly kind: "read"; readonly tool: PinnedTool }
  | { readonly kind: "refused"; readonly name: string; readonly why: string };

const TOOL_BYTES_MAX = 256 * 1024;
const NAME_LENGTH_MAX = 128;
const WHY_LENGTH_MAX = 300;
const FIELDS = ["title", "description", "inputSchema", "outputSchema", "annotations"] as const;

/** The name of a foreign tool, or an empty text. */
export function nameOfTool(foreign: unknown): string {
  const name = isPlainObject(foreign) ? foreign["name"] : undefined;
  return typeof name === "string" ? name : "";
}

export function readTool(server: string, foreign: unknown): ReadTool {
  const name = nameOfTool(foreign);
  const refuse = (why: string): ReadTool => ({
    ...{ kind: "refused", name: name.slice(0, NAME_LENGTH_MAX).toWellFormed() },
    why: why.slice(0, WHY_LENGTH_MAX),
  });
  if (!isPlainObject(foreign) || name === "") return refuse("it has no name");
  if (name.length > NAME_LENGTH_MAX || !isToolReference(`mcp.${server}.${name}`))
    return refuse("its name has characters that no loop has: use a-z, 0-9, _, - and dots");
  const { execution } = foreign;
  if (isPlainObject(execution) && execution["taskSupport"] === "required")
    return refuse("it works only as a task, which is not supported");
  const picked = FIELDS.flatMap((field) => {
    const value = foreign[field];
    return value === undefined ? [] : [[field, value] as const];
  });
  const copied = copyJson({ name, ...Object.fromEntries(picked) }, TOOL_BYTES_MAX);
  if (copied.kind !== "copied") return refuse(`its definition ${copied.reason}`);
  const fault = findFault(copied.value as JsonObject);
  return fault === undefined
    ? { kind: "read", tool: copied.value as unknown as PinnedTool }
    : refuse(fault);
}

function findFault(tool: JsonObject): string | undefined {
  const { title = "", description = "", inputSchema, outputSchema = {}, annotations = {} } = tool;
  if (typeof title !== "string" || typeof description !== "string")
    return "its title or its description is no text";
  if (!isPlainObject(inputSchema)) return "it has no schema of its input";
  if (!isPlainObject(outputSchema) || !isPlainObject(annotations))
    return "its output schema or its annotations are no object";
  if (title.length + description.length > DESCRIPTION_LENGTH_MAX)
    return `its description is longer than ${DESCRIPTION_LENGTH_MAX} characters`;
  const hidden = findHidden(tool);
  if (hidden !== undefined) return `it has a character that a person does not see: ${hidden}`;
  return findHeaderFault(inputSchema as JsonObject);
}

const HEADER_FIELD = "x-mcp-header";
const TOKEN = /^[!#$%&'*+.^_`|~0-9A-Za-z-]{1,64}$/;

/** A field that names a header wrongly could set another one. */
function findHeaderFault(schema: JsonObject): string | undefined {
  const names: JsonValue[] = [];
  collectHeaders(schema, names);
  const texts = names.map((name) => (typeof name === "string" ? name.toLowerCase() : ""));
  const isWrong = texts.some((text) => !TOKEN.test(text)) || new Set(texts).size < texts.length;
  return isWrong ? `its schema has a wrong or repeated \`${HEADER_FIELD}\`` : undefined;
}

function collectHeaders(value: JsonValue, names: JsonValue[]): void {
  if (typeof value !== "object" || value === null) return;
  for (const [field, part] of Object.entries(value)) {
    if (field === HEADER_FIELD && !Array.isArray(value)) names.push(part as JsonValue);
    else collectHeaders(part as JsonValue, names);
  }
}
