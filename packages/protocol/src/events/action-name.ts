import { HANDOFF_TOOL } from "../tool-reference.ts";
import type { ActionClaimed } from "./action-claim.ts";
import type { ApprovalRequested } from "./people.ts";

/**
 * Names the action of a claim or of an approval request: the model, the tool, or the loop that a
 * run is handed to.
 */
export function nameAction(content: ActionClaimed | ApprovalRequested): string {
  switch (content.action) {
    case "model":
      return `${content.backend}/${content.model}`;
    case "tool":
      return content.tool;
    case "handoff":
      return content.target;
  }
}

/** The tool that people approve: for its caller, a handoff is one, too. */
export function nameTool(content: ApprovalRequested): string {
  return content.action === "handoff" ? HANDOFF_TOOL : nameAction(content);
}
