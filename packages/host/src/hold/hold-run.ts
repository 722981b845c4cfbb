/** Takes a run over: its epoch, its state, and the one writer of its log. */

import { applyEvent } from "@turnseal/folds";
import { keepGraph, keepsGraph } from "@turnseal/folds/graph";
import { createAppender, createContent, LogError } from "@turnseal/kernel";
import type { Blocked } from "../decide/advanced.ts";
import { toSnapshot } from "../decide/to-snapshot.ts";
import { tellLive } from "../deliver/tell-live.ts";
import type { Hold, HoldingPorts } from "../state/held-run.ts";
import { foldOnto } from "../state/load-projection.ts";
import { openKeeper } from "../stores/open-keeper.ts";
import { createRunKey } from "../stores/open-run-files.ts";

export type Holding<Ports> = { readonly kind: "held"; readonly held: Ports & Hold } | Blocked;

export interface HoldOptions extends Pick<Hold, "attempt" | "leave"> {
  /** True if a result is kept while the store is away, until the deadline of its claim. */
  readonly keepsResults?: boolean;
}

export async function holdRun<Ports extends HoldingPorts>(
  run: string,
  ports: Ports,
  { attempt, leave, keepsResults = false }: HoldOptions,
): Promise<Holding<Ports>> {
  const { stores, clock, ids } = ports;
  const ownKey = createRunKey(run, ids);
  const { epoch, head, found } = await stores.log.takeEpoch(run, ownKey);
  const stored = found === undefined ? await stores.runs.read(run) : found.snapshot;
  const loaded = await foldOnto(stored, { log: stores.log, run, head });
  if (loaded.kind === "stale") {
    // A snapshot that is ahead may also be that of a worker who has taken over meanwhile.
    const now = await stores.log.readHead(run);
    if (now?.epoch !== epoch)
      throw new LogError("LOG_FENCED", `epoch ${epoch} is over: epoch ${now?.epoch} owns the run`);
    return { kind: "blocked", why: "stale" };
  }
  let { projection } = loaded;
  const key = found === undefined ? await stores.blobs.keepKey(run, ownKey) : found.key;
  if (key === undefined) return { kind: "blocked", why: "content-erased" };
  let dueAt = stored?.dueAt;
  let keeper = await openKeeper(projection, stores, head);
  const appender = createAppender({
    run,
    epoch,
    head,
    lastMs: Date.parse(projection.lastAt),
    stores,
    clock,
    ids,
    content: createContent(run, key, stores.blobs),
    refuse: (event) => {
      if (event.type === "run.started" && keepsGraph(event.content.spec)) keeper = keepGraph(run);
      const refused = keeper?.take(event);
      return refused === undefined ? undefined : `the rule ${refused.rule} at ${refused.about}`;
    },
    graph: () => (stores.graphs === undefined ? undefined : keeper?.write()),
    fold: (event) => {
      projection = applyEvent(projection, event);
    },
    snapshot: () => {
      const snapshot = toSnapshot(projection, dueAt);
      ({ dueAt } = snapshot);
      return snapshot;
    },
    ...(ports.live === undefined ? {} : { onAppended: tellLive(ports.live, run) }),
    ...(attempt === undefined ? {} : { attempt }),
    keepsResults,
  });
  const beside = {
    ...(found?.inbox === undefined ? {} : { inbox: found.inbox }),
    ...(attempt === undefined ? {} : { attempt }),
    ...(leave === undefined ? {} : { leave }),
  };
  return { kind: "held", held: { ...ports, appender, projection: () => projection, ...beside } };
}
