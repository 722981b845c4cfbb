/**
 * A host of this process as the runs of one tenant: its runs are driven here, also open ones of an
 * earlier process.
 */
import { readRun, readSnapshot } from "@turnseal/host";
import { memoryLiveBus, type RunSnapshot } from "@turnseal/ports";
import { isPlainObject } from "@turnseal/protocol";
import type { Agent, DrivingHost, SessionHost } from "@turnseal/sessions";
import { type DriveRunsOptions, driveRuns } from "./drive-runs.ts";

export interface DrivenHost {
  readonly served: SessionHost;
  /** Begins nothing more, and waits until an action that is under way has ended. */
  close(): Promise<void>;
}

export interface DriveHostOptions extends Pick<DriveRunsOptions, "onBlocked"> {
  readonly agents: Readonly<Record<string, Agent>>;
  /** Reports a failure and its run; without one, open runs could not be listed. */
  readonly onFailure: (error: unknown, run?: string) => void;
}

/** Registers the agents, continues open runs, and drives each run that gets a message. */
export function driveHost(
  host: DrivingHost,
  { agents, onFailure, onBlocked }: DriveHostOptions,
): DrivenHost {
  const live = host.live ?? memoryLiveBus();
  for (const { loop } of Object.values(agents)) host.register(loop);
  const leaving = new AbortController();
  const leave = leaving.signal;
  const { lookAt, close } = driveRuns({
    drive: (run) => host.driveNow(run, { live, leave }),
    isTold: (run) => host.stores.inbox.has(run),
    // A run that was left rejects, and continues at the next start.
    onFailure: (run, error) => leave.aborted || onFailure(error, run),
    ...(onBlocked === undefined ? {} : { onBlocked }),
  });
  const resumed = lookAtOpenRuns(host, { lookAt, isOver: () => leave.aborted }).catch(onFailure);
  return {
    served: { ...host, live, lookAt },
    close: async () => {
      leaving.abort();
      await Promise.all([resumed, close()]);
    },
  };
}

interface Looking {
  readonly lookAt: (run: string) => void;
  readonly isOver: () => boolean;
}

async function lookAtOpenRuns(host: DrivingHost, { lookAt, isOver }: Looking): Promise<void> {
  for (let page = await host.stores.runs.list(); page.length > 0; ) {
    for (const snapshot of page) {
      if (isOver()) return;
      if (await isResumable(snapshot, host)) lookAt(snapshot.run);
    }
    page = await host.stores.runs.list(page.at(-1)?.run);
  }
  await lookAtUnbegun(host, { lookAt, isOver });
}

/** Looks at runs whose process ended between their start and their first event. */
async function lookAtUnbegun(host: DrivingHost, { lookAt, isOver }: Looking): Promise<void> {
  const { inbox } = host.stores;
  for (let page = await inbox.listTold(); page.length > 0; page = await inbox.listTold(page.at(-1)))
    for (const run of page) {
      if (isOver()) return;
      const loop = await findUnbegunLoop(run, host);
      if (loop !== undefined && host.registry.resolve(loop) !== undefined) lookAt(run);
    }
}

/** The loop of a run that has a start and no event. */
async function findUnbegunLoop(run: string, { stores }: DrivingHost): Promise<string | undefined> {
  if ((await stores.log.readHead(run)) !== undefined) return undefined;
  const [start] = await stores.inbox.peek(run, "start");
  const spec = start?.body["spec"];
  const loop = isPlainObject(spec) ? spec["loop"] : undefined;
  return typeof loop === "string" ? loop : undefined;
}

/**
 * True for an open run that can go on here. A run of a loop of this host is looked at in any case:
 * its obstacle is then recorded, and reported.
 */
async function isResumable(snapshot: RunSnapshot, host: DrivingHost): Promise<boolean> {
  const projection = readSnapshot(snapshot) ?? (await readRun(host.stores, snapshot.run));
  if (projection === undefined || projection.stopped !== null) return false;
  const loop = projection.spec?.loop;
  if (loop !== undefined && host.registry.resolve(loop) !== undefined) return true;
  const check = await host.checkResume(snapshot.run);
  return check === undefined || check.isSafe;
}
