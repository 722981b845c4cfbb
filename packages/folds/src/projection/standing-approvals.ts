/** The approvals that stand in a run: given by decisions, drawn by claims, ended by revocations. */
import { drawRest, type EventOf, type LoopEvent, nameStanding } from "@turnseal/protocol";
import type { OpenTurn } from "./run-projection.ts";
import type { StandingApproval, StandingRequest } from "./standing-state.ts";

/** The most approvals that stand in one run at a time. */
export const STANDING_MAX = 64;

/** What a request says about standing; undefined where no approval of it can stand. */
export function readStandingRequest({
  content,
}: EventOf<"approval.requested">): StandingRequest | undefined {
  if (content.action !== "tool" || content.mayStand === undefined) return undefined;
  const { mayStand, rule, role, policy, exclude = [] } = content;
  return {
    mayStand,
    standsFor: nameStanding(content),
    exclude,
    ...(rule === undefined ? {} : { rule }),
    ...(role === undefined ? {} : { role }),
    ...(policy === undefined ? {} : { policy }),
  };
}

type Standing = readonly StandingApproval[] | undefined;

/** What stands after one more event; `open` is the turn before it. */
export function foldStanding(
  standing: Standing,
  open: OpenTurn | null,
  event: LoopEvent,
): Standing {
  switch (event.type) {
    case "approval.decided":
      return addStanding(standing, open, event);
    case "action.claimed":
      return drawStanding(standing, event);
    case "signal.received": {
      const { content } = event;
      if (content.kind !== "revoke") return standing;
      return standing?.filter(({ decision }) => decision !== content.decision);
    }
    default:
      return standing;
  }
}

function addStanding(
  standing: Standing,
  open: OpenTurn | null,
  { id, sequence, hash, at, actor, content }: EventOf<"approval.decided">,
): Standing {
  const { standing: given, pattern, receivedAt, approval } = content;
  const request = open?.asked.find((asked) => asked.sequence === approval);
  if (given === undefined || pattern === undefined || request?.standing === undefined)
    return standing;
  const { mayStand: _, ...facts } = request.standing;
  const until = new Date(Date.parse(receivedAt) + given.withinMs).toISOString();
  const added: StandingApproval = {
    ...facts,
    ...{ id, decision: sequence, hash, approval, tool: request.name, by: actor.id },
    ...{ given, receivedAt, until, pattern, usesLeft: given.uses },
    ...(given.amounts === undefined ? {} : { left: given.amounts }),
  };
  return [...listStanding(standing, at), added];
}

/** The approvals whose time is not over. */
export function listStanding(standing: Standing = [], at: string): StandingApproval[] {
  return standing.filter(({ until }) => until >= at);
}

function drawStanding(standing: Standing, { content }: EventOf<"action.claimed">): Standing {
  if (content.action !== "tool" || content.drawn === undefined) return standing;
  const { drawn, supersedes, reserve } = content;
  if (supersedes !== undefined) return standing;
  return standing?.flatMap((one) => {
    if (one.decision !== drawn.decision) return [one];
    const rest = drawRest(one, reserve);
    return rest.usesLeft === 0 ? [] : [{ ...one, ...rest }];
  });
}
