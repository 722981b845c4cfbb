/** The approval in a session: the people who are asked, and its state. */
import { type EventOf, missingApprovals } from "@turnseal/protocol";
import type { ReadContent } from "./applied.ts";
import type { OpenTool, ToolApproval } from "./session-state.ts";

export function openApproval(
  { content, sequence }: EventOf<"approval.requested">,
  tool: OpenTool,
  read: ReadContent,
): ToolApproval {
  const { description, approvers } = content;
  const written = read(description);
  return {
    status: "pending_approval",
    description: typeof written === "string" ? written : `Run ${tool.toolName}?`,
    ...{ sequence, approvers, approvedBy: [] },
  };
}

export function applyChoice(
  approval: ToolApproval,
  choice: "approve" | "reject",
  by: string,
): ToolApproval {
  if (choice === "reject") return { ...approval, status: "rejected" };
  const approvedBy = [...approval.approvedBy, by];
  const isMissing = missingApprovals(approval.approvers, approvedBy) > 0;
  return { ...approval, approvedBy, status: isMissing ? "pending_approval" : "approved" };
}
