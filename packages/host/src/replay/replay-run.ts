/**
 * Runs every closed turn of a run again from its record. It executes, appends and signs nothing.
 */

import { applyEvent, emptyProjection, type NotesByScope, type ThreadMarks } from "@turnseal/folds";
import { createContent, type ReplayedTurn, replayTurn } from "@turnseal/kernel";
import {
  type BlobRef,
  foldSpending,
  invariant,
  type LoopEvent,
  type RunSpec,
} from "@turnseal/protocol";
import type { HostPorts } from "../host-ports.ts";
import { parseRollback } from "../run-ids.ts";
import { readEvents } from "../state/load-projection.ts";
import { registerPlanOf } from "../state/register-plan.ts";
import { readRecordedInput } from "../turn/read-recorded-input.ts";
import { readGuidance } from "../turn/turn-guidance.ts";

export interface TurnReplay {
  readonly turn: number;
  readonly replayed: ReplayedTurn;
}

export type ReplayPorts = Omit<HostPorts, "signer" | "ids">;

/** The turns in order, each with what came of running it again. */
export async function* replayRun(run: string, ports: ReplayPorts): AsyncGenerator<TurnReplay> {
  const { stores } = ports;
  let spec: RunSpec | undefined;
  let texts: BlobRef | null = null;
  let events: LoopEvent[] = [];
  let state = emptyProjection(run);
  let { threads, notes } = state;
  for await (const event of readEvents(stores.log, run, 1)) {
    if (event.type === "run.started") {
      spec = event.content.spec;
      texts = event.content.guidance ?? null;
    }
    if (event.type === "turn.started") [events, threads, notes] = [[], state.threads, state.notes];
    state = applyEvent(state, event);
    if (event.type === "run.started") await registerPlanOf(state, ports);
    events.push(event);
    if (event.type !== "turn.closed") continue;
    invariant(spec !== undefined, "a run starts before its turns");
    yield {
      turn: event.turn,
      replayed: await replayEvents(run, { spec, texts, events, threads, notes, ports }),
    };
  }
}

interface TurnRecord {
  readonly spec: RunSpec;
  /** The texts of the documents of the run. */
  readonly texts: BlobRef | null;
  readonly events: readonly LoopEvent[];
  /** Where the threads stood before it. */
  readonly threads: ThreadMarks;
  /** The notes before it. */
  readonly notes: NotesByScope;
  readonly ports: ReplayPorts;
}

async function replayEvents(run: string, record: TurnRecord): Promise<ReplayedTurn> {
  const { spec, texts, events, threads, notes, ports } = record;
  const { stores, clock, registry, models, prices, tools, secrets } = ports;
  const { pauses, rateLimits, providerLimits, live } = ports;
  const [started] = events;
  invariant(started?.type === "turn.started", "a turn begins with its start");
  const { turn, content: facts } = started;
  const receipt = await stores.receipts.read(run, turn);
  if (receipt === undefined) return { kind: "different", message: "the turn has no receipt" };
  const key = await stores.blobs.readKey(run);
  if (key === undefined) return { kind: "not-replayable", reason: "its content was erased" };
  const content = createContent(run, key, stores.blobs);
  const spending = foldSpending(facts.spending, started);
  const history = {
    marks: threads,
    readEvents: (from: number) => readEvents(stores.log, run, from),
  };
  const { loop, version, grant, pinned } = spec;
  const { previousReceipt } = facts;
  const input = await readRecordedInput(content, facts.input);
  const guidance = await readGuidance({ run, spec, texts, content }, facts);
  return replayTurn(
    {
      run,
      turn,
      loop,
      version,
      grant,
      pinned,
      previousReceipt,
      input,
      isRollback: parseRollback(run, loop, input) !== undefined,
      continues: facts.continues === true,
      ...(guidance === undefined ? {} : { guidance }),
    },
    { events, envelope: receipt.envelope },
    {
      clock,
      registry,
      content,
      spending: () => spending,
      effects: { models, prices, tools, secrets },
      memory: { history, notes },
      control: { pauses, rateLimits, providerLimits, live },
    },
  );
}
