/**
 * Reads a body or a query: JSON by name and by nature, within size and depth, with exactly the
 * known fields. A refusal names the place, and never quotes the value.
 */
import type { z } from "@hono/zod-openapi";
import { copyJson, JSON_DEPTH_MAX } from "@turnseal/protocol";
import type { Refusal } from "@turnseal/sessions";
import { BODY_BYTES_MAX } from "../limits.ts";
import { refuse } from "./refusal.ts";

export type Parsed<Value> =
  | { readonly kind: "parsed"; readonly value: Value }
  | { readonly kind: "refused"; readonly refusal: Refusal };

export async function parseBody<Schema extends z.ZodType>(
  request: Request,
  schema: Schema,
): Promise<Parsed<z.output<Schema>>> {
  const [type = ""] = (request.headers.get("content-type") ?? "").split(";");
  if (type.trim().toLowerCase() !== "application/json") return no(refuse("MEDIA_TYPE_REFUSED"));
  if (Number(request.headers.get("content-length") ?? 0) > BODY_BYTES_MAX)
    return no(refuse("BODY_TOO_LARGE"));
  const bytes = await readUpTo(request.body, BODY_BYTES_MAX);
  if (bytes === undefined) return no(refuse("BODY_TOO_LARGE"));
  const parsed = parseJson(bytes);
  if (parsed === undefined) return refuseBody("the body is not JSON");
  const copied = copyJson(parsed.value, BODY_BYTES_MAX, JSON_DEPTH_MAX);
  if (copied.kind === "refused") return refuseBody(`the body ${copied.reason}`);
  return parseFields(copied.value, schema);
}

/** Holds a value to a schema. */
export function parseFields<Schema extends z.ZodType>(
  value: unknown,
  schema: Schema,
): Parsed<z.output<Schema>> {
  const parsed = schema.safeParse(value);
  if (parsed.success) return { kind: "parsed", value: parsed.data };
  const [issue] = parsed.error.issues;
  const place = `/${issue?.path.join("/") ?? ""}`;
  return refuseBody(`${place} is not what it must be: ${issue?.code ?? "unknown"}`);
}

function refuseBody(message: string): Parsed<never> {
  return no(refuse("BODY_REFUSED", { message, next: "GET /v1/openapi.json" }));
}

function no(refusal: Refusal): Parsed<never> {
  return { kind: "refused", refusal };
}

function parseJson(bytes: Uint8Array): { readonly value: unknown } | undefined {
  try {
    return { value: JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(bytes)) };
  } catch {
    return undefined;
  }
}

/** All of a body; undefined when it is longer, and then no more of it is read. */
async function readUpTo(
  body: ReadableStream<Uint8Array> | null,
  bytesMax: number,
): Promise<Uint8Array | undefined> {
  const chunks: Uint8Array[] = [];
  let length = 0;
  for await (const chunk of body ?? []) {
    length += chunk.byteLength;
    if (length > bytesMax) return undefined;
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}
