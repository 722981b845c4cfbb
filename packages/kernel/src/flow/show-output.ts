import { isPlainObject, type JsonValue, type ModelMessage, OUTPUT_TOOL } from "@turnseal/protocol";
import { previewOutput } from "../context/preview-output.ts";
import type { CheckedLoop } from "../definition/check-loop.ts";
import type { Frame } from "../resume/frame.ts";
import type { World } from "../world.ts";
import type { OfferedTools } from "./offer-tools.ts";

type ToolMessage = Extract<ModelMessage, { readonly role: "tool" }>;

interface ShownBy {
  readonly frame: Frame;
  readonly world: World;
}

/** Renders a result for the model. */
export function showOutput(message: ToolMessage, offered: OfferedTools, by: ShownBy): ToolMessage {
  const { loop } = offered.get(message.toolName) ?? {};
  return { ...message, result: showPart(message.result, { loop, most: undefined }, by) };
}

interface Shown {
  readonly loop: CheckedLoop | undefined;
  /** Bytes that are shown at most; the default if undefined. */
  readonly most: number | undefined;
}

/**
 * An output, or its beginning and a handle to the whole. Outside a run no output is stored, so all
 * of it is shown.
 */
export function showPart(
  output: JsonValue,
  { loop, most }: Shown,
  { frame, world }: ShownBy,
): JsonValue {
  // A range is bounded already, and a part of a part would never come to an end.
  const isRange = !(isPlainObject(output) && Object.hasOwn(output, "content"));
  if (isRange && loop?.definition.tool?.implementation === OUTPUT_TOOL) return output;
  const preview = previewOutput(output, most);
  const handle = preview && world.memory?.outputs.keep(frame.call, output);
  return handle === undefined ? output : { ...preview, handle };
}
