import type { Clock, Inbox, PutAnswer, Stores } from "@turnseal/ports";
import type { Identity } from "@turnseal/protocol";
import { HostError } from "../host-error.ts";
import { revokeMessage } from "../messages/inbox-messages.ts";
import { findStanding, type GivenStanding, listStandingApprovals } from "../messages/standing.ts";
import { readRun } from "../state/read-run.ts";

/** The approvals that stand in a run. */
export interface StandingClient {
  /** Lists the approvals that stand: what they still cover, and until when. */
  standing(run: string): Promise<readonly GivenStanding[]>;
  /** Ends an approval that stands, named by its id. No later action is done under it. */
  revoke(run: string, standing: string, by: Identity): Promise<PutAnswer>;
}

interface StandingPorts extends Pick<Inbox, "put"> {
  readonly stores: Stores;
  readonly clock: Clock;
}

export function openStanding({ stores, clock, put }: StandingPorts): StandingClient {
  return {
    standing: async (run) => listStandingApprovals(await readRun(stores, run), stores, clock.now()),
    revoke: async (run, id, by) => {
      if (by.id === "") throw new HostError("IDENTITY_MISSING", "a revocation needs an identity");
      return put(revokeMessage(run, findStanding(await readRun(stores, run), id), by));
    },
  };
}
