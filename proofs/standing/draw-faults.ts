/**
 * Counts the draws of standing approvals in a log. It finds uses and amounts beyond the decision,
 * and draws after a revocation or after their time. It trusts no `usesLeft`.
 */
import { type EventOf, isClaimOf, type LoopEvent } from "@turnseal/protocol";

interface Seen {
  readonly decided: EventOf<"approval.decided">;
  uses: number;
  effects: number;
  revokedAt?: number;
}

export interface DrawCounts {
  readonly given: number;
  readonly draws: number;
  readonly revoked: number;
  readonly faults: readonly string[];
}

export function countDraws(events: readonly LoopEvent[]): DrawCounts {
  const seen = new Map<number, Seen>();
  const faults: string[] = [];
  let [draws, revoked] = [0, 0];
  for (const event of events) {
    const { type, content, sequence } = event;
    if (type === "approval.decided" && content.standing !== undefined)
      seen.set(sequence, { decided: event, uses: 0, effects: 0 });
    if (type === "signal.received" && content.kind === "revoke") {
      revoked += 1;
      const standing = seen.get(content.decision);
      if (standing !== undefined) standing.revokedAt ??= sequence;
    }
    if (!isClaimOf("tool", event) || event.content.drawn === undefined) continue;
    if (event.content.supersedes !== undefined) continue;
    draws += 1;
    const standing = seen.get(event.content.drawn.decision);
    faults.push(...findFaults(event, standing).map((fault) => `event ${sequence}: ${fault}`));
  }
  return { given: seen.size, draws, revoked, faults };
}

function findFaults(
  { at, content: { reserve } }: EventOf<"action.claimed">,
  standing: Seen | undefined,
): string[] {
  if (standing === undefined) return ["draws what was not given"];
  const { standing: given, receivedAt } = standing.decided.content;
  if (given === undefined) return ["draws what does not stand"];
  standing.uses += 1;
  standing.effects += reserve.effects ?? 0;
  const untilMs = Date.parse(receivedAt) + given.withinMs;
  return [
    ...(standing.uses > given.uses ? [`is use ${standing.uses} of ${given.uses}`] : []),
    ...(standing.effects > (given.amounts?.effects ?? Number.POSITIVE_INFINITY)
      ? [`spends ${standing.effects} of ${given.amounts?.effects} effects`]
      : []),
    ...(standing.revokedAt === undefined ? [] : ["comes after the revocation"]),
    ...(Date.parse(at) > untilMs ? ["comes after its time"] : []),
  ];
}
