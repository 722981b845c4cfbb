/** Checks that the grant of a call allows a tool, with its needs. */
import { type Admission, admit, type JsonValue, type Needs } from "@turnseal/protocol";
import { compileCondition } from "../bounded/condition/condition.ts";
import { type Failed, fail, type Outcome, succeed } from "../outcome.ts";
import type { Frame } from "../resume/frame.ts";

export interface ToolFacts {
  readonly name: string;
  readonly version: string;
  readonly effect: string;
}

/** The terms that allow it, at the time of the call's latest event. */
export function admitTool(
  { grant, wallMs }: Pick<Frame, "grant" | "wallMs">,
  tool: ToolFacts,
  { args, needs }: { readonly args: JsonValue; readonly needs: Needs },
): Outcome<Pick<Extract<Admission, { kind: "admitted" }>, "terms" | "approvals">> {
  // A call outside a run has no grant: its caller is responsible.
  if (grant === undefined) return succeed({ terms: [], approvals: [] });
  // A condition may look at the request. It does not see the spending or the time: a resume must
  // find the same. It does not see the grant either: a narrower one must never allow more.
  const holds = (text: string): boolean => {
    const compiled = compileCondition(text);
    return compiled.kind === "compiled" && compiled.condition({ tool, args, needs }) === true;
  };
  const admission = admit(grant, { tool: tool.name, needs }, wallMs(), holds);
  return admission.kind === "admitted" ? succeed(admission) : deny(tool.name, admission.reason);
}

export function deny(tool: string, denial: string): Failed {
  return fail("POLICY_DENIED", `${tool} is not allowed: ${denial}`, { denial });
}
