/** Flows for tests of the checks. */
import type { CallNode, FlowNode, Mapping } from "@turnseal/protocol";
import { type CheckedLoop, checkLoop } from "../check-loop.ts";

export function callNode(loopId: string, fields: Partial<CallNode> = {}): CallNode {
  return { kind: "call", loopId, inputMapping: {}, ...fields };
}

export function sequence(...nodes: FlowNode[]): Extract<FlowNode, { readonly kind: "sequence" }> {
  return { kind: "sequence", nodes };
}

const open = { id: "of", name: "of", version: "1.0.0", inputSchema: true, outputSchema: true };

function check(flow: unknown, outputMapping?: Mapping) {
  const composite = { flow, ...(outputMapping === undefined ? {} : { outputMapping }) };
  return checkLoop({ ...open, kind: "composite", composite }, "strict");
}

/** The problems of a flow, as `rule path: message`; paths begin below the composite. */
export function refusalsOf(flow: unknown, outputMapping?: Mapping): string[] {
  const checked = check(flow, outputMapping);
  return checked.kind === "refused" ? checked.problems.map(show) : [];
}

/** The fixes of its problems. */
export function mendsOf(flow: unknown, outputMapping?: Mapping): string[] {
  const checked = check(flow, outputMapping);
  return checked.kind === "refused" ? checked.problems.map(({ mend }) => mend) : [];
}

/** Returns the warnings for a flow that is accepted. */
export function warningsOf(flow: unknown): string[] {
  const checked = check(flow);
  return checked.kind === "refused" ? ["refused"] : checked.warnings.map(show);
}

export function checkedOf(flow: unknown, outputMapping?: Mapping): CheckedLoop {
  const checked = check(flow, outputMapping);
  if (checked.kind === "refused") throw new Error(JSON.stringify(checked.problems));
  return checked.loop;
}

function show(problem: { rule: string; path: string; message: string }): string {
  return `${problem.rule} ${problem.path.slice("/composite".length)}: ${problem.message}`;
}
