/** Whether the grant of a call allows a tool, for what it needs. */
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
  // A call outside a run is under nobody's grant: whoever calls it is the one who acts.
  if (grant === undefined) return succeed({ terms: [], approvals: [] });
  // A condition may look at what is asked for. Not at what was spent or when: a resume must find
  // the same. Nor at the grant: a narrower one must never allow more.
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
