import type { ModelMessage } from "@turnseal/ports";
import { OUTPUT_TOOL } from "../actions/read-output.ts";
import { previewOutput } from "../context/preview-output.ts";
import type { Frame } from "../resume/frame.ts";
import type { World } from "../world.ts";
import type { OfferedTools } from "./offer-tools.ts";

type ToolMessage = Extract<ModelMessage, { readonly role: "tool" }>;

/**
 * What a model is told of a result: all of it, or its beginning and a handle to the rest. Outside a
 * run nothing is kept, so that nothing is left out either.
 */
export function showOutput(
  message: ToolMessage,
  offered: OfferedTools,
  { frame, world }: { readonly frame: Frame; readonly world: World },
): ToolMessage {
  const { loop } = offered.get(message.toolName) ?? {};
  // A range is bounded already, and a part of a part would never come to an end.
  if (loop?.definition.tool?.implementation === OUTPUT_TOOL) return message;
  const preview = previewOutput(message.result);
  const handle = preview === undefined ? undefined : world.journal.keep(frame, message.result);
  return handle === undefined ? message : { ...message, result: { ...preview, handle } };
}
