// A host of one's own. It decides which turn comes next and when to stop, and takes nothing from
// the host package. The kernel decides what a turn may do, and seals it before its result is seen.

import type { Grant } from "turnseal";
import {
  createAppender,
  createContent,
  foldSpending,
  type JsonValue,
  NO_SPENDING,
  pinReferences,
  randomIds,
  runTurn,
  type Stores,
  type TurnPorts,
  type TurnResult,
} from "turnseal/host";

type Ports = Pick<TurnPorts, "clock" | "signer" | "registry" | "effects">;

export interface Drive extends Ports {
  readonly run: string;
  readonly stores: Stores;
  readonly loop: string;
  readonly grant: Grant;
  /** The input of each turn, from the result of the one before; undefined ends the run. */
  readonly next: (last: TurnResult | undefined) => JsonValue | undefined;
}

/** Takes turns until `next` has enough, or one does not complete. */
export async function driveTurns({ run, stores, loop, grant, next, ...ports }: Drive) {
  const { clock, registry } = ports;
  const root = registry.resolve(loop);
  if (root === undefined) throw new Error(`there is no loop ${loop}`);
  const { version } = root.definition;
  const spec = { loop, version, grant, pinned: pinReferences(registry, root) };

  // The owner of the epoch is the only writer of the run; its state is a fold of the events.
  const { epoch, head } = await stores.log.takeEpoch(run);
  const key = await stores.blobs.keepKey(run, crypto.getRandomValues(new Uint8Array(32)));
  if (key === undefined) throw new Error("the content of the run was erased");
  let [spending, sequence] = [NO_SPENDING, head.sequence];
  const content = createContent(run, key, stores.blobs);
  const appender = createAppender({
    ...{ run, epoch, head, lastMs: clock.now(), stores, clock, ids: randomIds, content },
    fold: (event) => {
      spending = foldSpending(spending, event);
      sequence = event.sequence;
    },
    snapshot: () => ({ run, sequence, state: {} }),
  });
  const bounds = { turnsMax: 1_000, failuresMax: 1, resumesMax: 1 };
  const actor = { kind: "host", id: "own-host" } as const;
  const first = next(undefined) ?? null;
  const started = { key: run, spec: { ...spec, bounds } };
  appender.push(() => ({
    ...{ type: "run.started", actor, content: started },
    attached: { input: first },
  }));

  const results: TurnResult[] = [];
  let previousReceipt: string | null = null;
  for (
    let input: JsonValue | undefined = first;
    input !== undefined;
    input = next(results.at(-1))
  ) {
    const turn = results.length + 1;
    // A turn follows a decision: the log says why there is another one.
    const reason = turn === 1 ? "first-turn" : "goal-not-reached";
    const decided = { decision: "continue", reason, receipt: previousReceipt } as const;
    appender.push(() => ({ type: "run.decided", actor, content: decided }));
    const request = { run, turn, ...spec, input, previousReceipt, recorded: [] };
    const result = await runTurn(request, {
      ...ports,
      appender,
      spending: () => spending,
      memory: {},
      control: { takeCancel: async () => false },
    });
    results.push(result);
    if (result.kind !== "closed" || result.outcome !== "completed") break;
    previousReceipt = result.receipt;
  }
  return results;
}
