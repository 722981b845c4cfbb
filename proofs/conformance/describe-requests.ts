import type { WaitingRequest } from "@turnseal/host";

/** Describes an open request, in the words of the protocol. */
export function describeRequest(waiting: WaitingRequest): Readonly<Record<string, unknown>> {
  const { kind, id, hash, turn, name, request, role, approvers, approvedBy, excluded } = waiting;
  const { decideBy, facts } = waiting;
  const { rule, effect, reserve, undo, compensation, irreversible } = facts;
  const back = { undo, compensation, irreversible };
  const people = { role, approvers, approvedBy, excluded, decideBy };
  const asked = { kind, id, hash, turn, name, request, ...people };
  return JSON.parse(JSON.stringify({ ...asked, rule, effect, reserve, ...back }));
}
