/** Approvals that stand: what a person may give, and what there is. */
import {
  listStanding,
  type OpenRequest,
  type RunProjection,
  type StandingApproval,
} from "@turnseal/folds";
import type { Stores } from "@turnseal/ports";
import { fitsPattern, isPattern, type JsonValue, type Pattern } from "@turnseal/protocol";
import { HostError } from "../host-error.ts";
import { findStandingFault, type StandingAsked } from "../inbox/find-standing-fault.ts";
import { readContent } from "../state/read-content.ts";
import type { DecisionToSend } from "./inbox-messages.ts";

/** An approval that stands, with its pattern. */
export interface GivenStanding extends Omit<StandingApproval, "pattern" | "standsFor"> {
  readonly run: string;
  /** Undefined once the content was erased: then it covers nothing. */
  readonly pattern: Pattern | undefined;
}

/** Lists the approvals that stand at this time, oldest first. */
export async function listStandingApprovals(
  projection: RunProjection | undefined,
  stores: Pick<Stores, "blobs">,
  nowMs: number,
): Promise<GivenStanding[]> {
  if (projection === undefined || projection.stopped !== null) return [];
  const { run, standing, lastAt } = projection;
  const now = new Date(Math.max(nowMs, Date.parse(lastAt))).toISOString();
  return Promise.all(
    listStanding(standing, now).map(async ({ pattern, standsFor: _, ...one }) => {
      const read = await readContent(stores, run, pattern);
      return { ...one, run, pattern: isPattern(read) ? read : undefined };
    }),
  );
}

/** The approval that stands under this id. */
export function findStanding(projection: RunProjection | undefined, id: string): StandingApproval {
  const found = listStanding(projection?.standing, projection?.lastAt ?? "").find(
    (standing) => standing.id === id,
  );
  if (found !== undefined) return found;
  const mend = "`turnseal approvals <run>` lists those that do";
  throw new HostError("REQUEST_UNKNOWN", `no approval ${id} stands here: ${mend}`);
}

/** Throws if a person may not let the approval stand so. The log decides again. */
export function checkStanding(
  projection: RunProjection,
  request: StandingAsked,
  decision: DecisionToSend,
  given: JsonValue | undefined,
): void {
  if (decision.standing === undefined && decision.pattern === undefined) return;
  const fault = findStandingFault(request, projection, decision);
  if (fault !== undefined) throw new HostError("ANSWER_REFUSED", fault);
  if (fitsPattern(decision.pattern, given)) return;
  const message = "the pattern does not fit the arguments that are approved";
  throw new HostError("ANSWER_REFUSED", message);
}

/** The same, with the arguments of the request as they are stored. */
export async function checkGiven(
  projection: RunProjection,
  { name, request, standing }: OpenRequest,
  decision: DecisionToSend,
  stores: Pick<Stores, "blobs">,
): Promise<void> {
  const isRead = request !== null && decision.pattern !== undefined;
  const given = isRead ? await readContent(stores, projection.run, request) : undefined;
  checkStanding(projection, { ...standing, name }, decision, given);
}
