import { listUnknown, type OpenRequest, type RunProjection } from "@turnseal/folds";
import type { InboxRow } from "@turnseal/ports";
import { missingApprovals, refuseDecision } from "@turnseal/protocol";
import { termsOf } from "../inbox/draft-decision.ts";
import { isAbout, refuseWord } from "../inbox/draft-resolution.ts";
import { readIdentity } from "../inbox/inbox-row.ts";

/**
 * The hashes of open requests that have an answer in the inbox, not yet taken in. Answers that will
 * be refused do not count; an edit or an answer is checked when it is taken in.
 */
export function listAnswered(
  run: Pick<RunProjection, "openTurn" | "stopped" | "unknownEnds">,
  rows: readonly InboxRow[],
): ReadonlySet<string> {
  const { asked = [] } = run.openTurn ?? {};
  const requests = asked.filter((request) => isAnswered(request, rows));
  const isLate = run.stopped !== null;
  const claims = listUnknown(run).filter((claim) =>
    rows.some(
      ({ body }) => isAbout(claim, body) && refuseWord(claim, body, { isLate }) === undefined,
    ),
  );
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
