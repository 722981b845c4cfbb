import type { InboxRow } from "@turnseal/ports";
import { mayResolve, missingApprovals, refuseDecision } from "@turnseal/protocol";
import { termsOf } from "../inbox/draft-decision.ts";
import { readIdentity } from "../inbox/inbox-row.ts";
import type { OpenClaim, OpenRequest, RunProjection } from "../projection/run-projection.ts";

/**
 * What a run has asked and somebody has answered, in rows that nobody has taken in yet: the hashes
 * of what asked. Words that will be refused are no answer; whether an edit or an answer fits is
 * looked at when it is taken in.
 */
export function listAnswered(
  { openTurn }: Pick<RunProjection, "openTurn">,
  rows: readonly InboxRow[],
): ReadonlySet<string> {
  const { asked = [], open = [] } = openTurn ?? {};
  const requests = asked.filter((request) => isAnswered(request, rows));
  const claims = open.filter((claim) => claim.isUnknown && isResolved(claim, rows));
  return new Set([...requests, ...claims].map(({ hash }) => hash));
}

function isAnswered(request: OpenRequest, rows: readonly InboxRow[]): boolean {
  const { kind, hash, approvers, approvedBy } = request;
  const counts = (choice: unknown, { body, receivedAt }: InboxRow): boolean =>
    refuseDecision(termsOf(request), { choice, by: readIdentity(body), receivedAt }) === undefined;
  if (kind === "question")
    return rows.some((row) => row.body["question"] === hash && counts("approve", row));
  const decisions = rows.filter(
    (row) =>
      row.body["approval"] === hash &&
      counts(row.body["choice"], row) &&
      !approvedBy.includes(readIdentity(row.body).id),
  );
  if (decisions.some(({ body }) => body["choice"] !== "approve")) return true;
  const people = decisions.map(({ body }) => readIdentity(body).id);
  return missingApprovals(approvers, [...approvedBy, ...people]) === 0;
}

function isResolved({ key, hash, role, effect }: OpenClaim, rows: readonly InboxRow[]): boolean {
  return rows.some(({ body }) => {
    const { id, roles } = readIdentity(body);
    const isMeant = body["claimHash"] === hash && body["key"] === key;
    const mayAnswer = id !== "" && (role === null || roles.includes(role));
    return isMeant && mayAnswer && mayResolve(body["resolution"], { effect, by: "person" });
  });
}
