import { HANDOFF_TOOL } from "../tool-reference.ts";
import type { ActionClaimed } from "./action-claim.ts";
import type { ApprovalRequested } from "./people.ts";

/**
 * What the action of a claim, or of a request to approve one, is called: the model that is asked,
 * the tool that acts, or the loop that a run is handed to.
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

/** The tool that people are asked to approve: to whoever calls it, a handoff is one, too. */
export function nameTool(content: ApprovalRequested): string {
  return content.action === "handoff" ? HANDOFF_TOOL : nameAction(content);
}
