/** The tool with which an agent reads on in a result that was shown in part. */
import { type LoopDef, OUTPUT_TOOL } from "@turnseal/protocol";

export const FETCH_VERB = "fetch";
export const FETCH_SAYS =
  "read a result that was shown in part: its target is the handle, `from` the byte to begin at";

export const FETCH_LOOP: LoopDef = {
  id: "workflow-fetch",
  name: "Reads a result that was shown in part",
  version: "1.0.0",
  kind: "tool",
  inputSchema: {
    type: "object",
    properties: { handle: { type: "string" }, from: { type: "integer", minimum: 0 } },
    required: ["handle"],
    additionalProperties: false,
  },
  outputSchema: { type: "object" },
  tool: { implementation: OUTPUT_TOOL },
};
