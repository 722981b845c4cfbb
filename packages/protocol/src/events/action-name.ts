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
