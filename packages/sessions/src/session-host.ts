/** The parts of a host that the server uses: the runs of one tenant, and no other's. */
import type { LocalHost, RunClient, StartOptions } from "@turnseal/host";
import type { LiveBus, Stores } from "@turnseal/ports";
import type { Loop } from "@turnseal/protocol/authoring";

type Verbs =
  | "registry"
  | "cell"
  | "start"
  | "isFirstMessage"
  | "signal"
  | "cancel"
  | "retry"
  | "decide"
  | "standing"
  | "revoke"
  | "answer"
  | "resolve"
  | "show"
  | "keepFile"
  | "keepStartFile"
  | "readFile";

/**
 * A host, local or under an engine, with what its tenant has.
 *
 * @example
 * const local = createLocalHost({ loops, stores, signer, live });
 * const host: SessionHost = { ...local, stores, live, lookAt };
 */
export interface SessionHost extends Pick<RunClient, Verbs> {
  readonly stores: Pick<Stores, "log" | "blobs" | "inbox" | "runs" | "receipts" | "calls">;
  /**
   * Tells what is being written in the runs of this tenant, and MUST NOT tell of another's: two may
   * have a run of the same id. Without it, sessions are read from the log alone.
   */
  readonly live?: LiveBus;
  /**
   * Called when a run has a new message. If no other process drives runs, the host does it now; it
   * MUST return at once.
   */
  lookAt?(run: string): void;
}

/** A host that drives its runs in this process, as `turnseal()` and `createLocalHost` make one. */
export type DrivingHost = SessionHost &
  Pick<LocalHost, "driveNow" | "register" | "checkResume" | "registry">;

/** The runs of a tenant; undefined for one without service here. */
export type FindTenant = (
  tenant: string,
) => SessionHost | undefined | Promise<SessionHost | undefined>;

/** An agent that clients can start: its authority comes from the operator, its input from them. */
export interface Agent extends Pick<StartOptions, "grant" | "bounds" | "policy" | "guidance"> {
  readonly loop: Loop<never, unknown>;
}

/** True for a run of this tenant, even if it has no events yet. */
export async function hasRun({ stores }: SessionHost, run: string): Promise<boolean> {
  if ((await stores.log.readHead(run)) !== undefined) return true;
  return stores.inbox.has(run, "start");
}
