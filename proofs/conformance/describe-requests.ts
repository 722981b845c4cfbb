import type { GivenStanding, WaitingRequest } from "@turnseal/host";

/** Describes an open request, in the words of the protocol. */
export function describeRequest(waiting: WaitingRequest): Readonly<Record<string, unknown>> {
  const { kind, id, hash, turn, name, request, role, approvers, approvedBy, excluded } = waiting;
  const { decideBy, facts } = waiting;
  const { rule, effect, reserve, undo, compensation, irreversible } = facts;
  const back = { undo, compensation, irreversible };
  const people = { role, approvers, approvedBy, excluded, decideBy };
  const asked = { kind, id, hash, turn, name, request, ...people };
  const { mayStand } = waiting;
  return JSON.parse(JSON.stringify({ ...asked, rule, effect, reserve, mayStand, ...back }));
}

/** Describes an approval that stands, in the words of the protocol. */
export function describeStanding(standing: GivenStanding): Readonly<Record<string, unknown>> {
  const { id, tool, by, usesLeft, left, until, pattern } = standing;
  return JSON.parse(JSON.stringify({ id, tool, by, usesLeft, left, until, pattern }));
}
