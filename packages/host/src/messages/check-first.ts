import type { UnknownClaim } from "@turnseal/folds";
import type { InboxMessage, Stores } from "@turnseal/ports";
import { textOf } from "@turnseal/protocol";
import { HostError } from "../host-error.ts";
import { isAbout, refuseWord } from "../inbox/draft-resolution.ts";
import { readIdentity } from "../inbox/inbox-row.ts";
import { readRun } from "../state/read-run.ts";

/**
 * Throws if an earlier answer on the action is stored. For an action of a stopped run, the first
 * valid answer counts.
 */
export async function checkFirst(
  { run, key, body }: InboxMessage,
  claim: UnknownClaim,
  stores: Pick<Stores, "inbox" | "log" | "runs">,
): Promise<void> {
  // In this order: what is taken in between the two is found in the log.
  const rows = await stores.inbox.peek(run, "resolve");
  const ends = (await readRun(stores, run))?.unknownEnds ?? [];
  const said = ends.find(({ hash }) => hash === claim.hash)?.said;
  const first = rows.find(
    (row) => isAbout(claim, row.body) && refuseWord(claim, row.body, LATE) === undefined,
  );
  const { resolution } = body;
  const isRecorded = said?.by === readIdentity(body).id && said.resolution === resolution;
  if (said === undefined ? first === undefined || first.key === key : isRecorded) return;
  const by = said?.by ?? readIdentity(first?.body ?? {}).id;
  const what = said?.resolution ?? textOf(first?.body["resolution"]);
  throw new HostError("CLAIM_NOT_UNKNOWN", `${by} said before you of ${claim.name}: ${what}`);
}

const LATE = { isLate: true } as const;
