/** One turn of a run: begun with what the run knows, or gone on with from its record. */

import type { OpenTurn, RunProjection } from "@turnseal/folds";
import {
  closeStalledTurn,
  closeUnbegunTurn,
  closeWithdrawnTurn,
  findSigner,
  findTurnLoops,
  runTurn,
  type TurnPorts,
  type TurnRequest,
  type TurnResult,
} from "@turnseal/kernel";
import {
  type Actor,
  type Block,
  invariant,
  type JsonValue,
  type LoopEvent,
  listStarters,
} from "@turnseal/protocol";
import { decideNext } from "../decide/decide-next.ts";
import { takeCancel, takeFeedback, takeRevocations } from "../inbox/take-inbox.ts";
import { parseRollback } from "../run-ids.ts";
import { canStart, findUnstarted } from "../state/find-unstarted.ts";
import type { HeldRun } from "../state/held-run.ts";
import { collectEvents, readEvents } from "../state/load-projection.ts";
import type { UnbegunEnd } from "./find-end.ts";
import type { FindLimit } from "./find-limit.ts";
import { findWorldDrift } from "./find-world-drift.ts";
import { loadRules } from "./load-rules.ts";
import { readPatterns } from "./read-patterns.ts";
import { readRecordedInput } from "./read-recorded-input.ts";
import { turnGuidance } from "./turn-guidance.ts";

const host: Actor = { kind: "host", id: "host" };

interface NextTurn {
  /** True when the open turn is resumed. */
  readonly isResumed: boolean;
  readonly findLimit: FindLimit;
  /** Why the first turn is sealed without an action. */
  readonly end: UnbegunEnd | undefined;
}

/** Begins the next turn, or resumes the open one. */
export async function runNextTurn(
  held: HeldRun,
  { isResumed, findLimit, end }: NextTurn,
): Promise<TurnResult> {
  const { appender, projection, stores } = held;
  const { spec, openTurn, input: inputRef, lastReceipt, startedBy, trigger } = projection();
  invariant(spec !== null && inputRef !== null, "a run has started");
  const before = openTurn === null ? [] : await readOpenTurn(held, openTurn.from);
  // A turn that is only sealed needs no loops.
  const lacking = end === undefined ? await findBlock(held, before) : undefined;
  const mayBegin = end === undefined && openTurn === null;
  const drift = mayBegin && lacking === undefined ? await findWorldDrift(held) : undefined;
  const block = lacking ?? drift ?? (mayBegin ? await findLimit() : undefined);
  if (openTurn !== null && projection().isCancelled) {
    const lack = block ?? (await findUnstarted(projection(), held));
    if (lack !== undefined) return withdrawTurn(held, openTurn);
  }
  // A worker that lacks something leaves the run as it is, and the resume is not counted.
  if (block !== undefined) return { kind: "blocked", block };
  const isStalled = isResumed && openTurn !== null && openTurn.resumes >= spec.bounds.resumesMax;
  // The stall is recorded once, even if the seal is tried again.
  const isCounted = openTurn === null || openTurn.resumes > spec.bounds.resumesMax;
  const recorded = isCounted ? before : [...before, await noteResume(held, openTurn)];
  const turn = openTurn?.turn ?? projection().turns + 1;
  const guidance = await turnGuidance(projection(), turn, { appender, recorded, stores });
  const input = openTurn === null ? await nextInput(held) : await readTurnInput(held, recorded);
  const request: TurnRequest = {
    run: appender.run,
    turn,
    loop: spec.loop,
    version: spec.version,
    pinned: spec.pinned,
    grant: spec.grant,
    previousReceipt: lastReceipt,
    ...(spec.parent === undefined ? {} : { parent: spec.parent }),
    ...(spec.committed === undefined ? {} : { committed: spec.committed }),
    ...(trigger === null ? {} : { trigger }),
    starters: listStarters({ above: spec.starters ?? [], startedBy, trigger }),
    recorded,
    continues: isContinued(projection(), recorded),
    input,
    isRollback: parseRollback(appender.run, spec.loop, input) !== undefined,
    ...(guidance === undefined ? {} : { guidance }),
  };
  const ports = openTurnPorts(held, {
    rules: await loadRules(projection(), held),
    patterns: await readPatterns(held),
  });
  if (end !== undefined) return closeUnbegunTurn(request, ports, end);
  return isStalled ? closeStalledTurn(request, ports) : runTurn(request, ports);
}

interface TurnGiven {
  readonly rules: TurnPorts["control"]["rules"];
  readonly patterns: ReadonlyMap<number, JsonValue>;
}

function openTurnPorts(held: HeldRun, { rules, patterns }: TurnGiven): TurnPorts {
  const { appender, clock, signer, registry, stores, projection, threadCache } = held;
  const { models, prices, tools, secrets } = held;
  const { pauses, rateLimits, providerLimits, attempt, leave, live } = held;
  const { run } = appender;
  return {
    appender,
    clock,
    signer,
    registry,
    spending: () => projection().spending,
    standing: { list: () => projection().standing ?? [], patterns },
    effects: { models, prices, tools, secrets },
    memory: {
      calls: held.calls,
      history: {
        marks: projection().threads,
        readEvents: (from) => readEvents(stores.log, run, from),
        ...(threadCache === undefined ? {} : { cache: threadCache }),
      },
      notes: projection().notes,
      artifacts: projection().artifacts,
    },
    control: {
      rules,
      pauses,
      rateLimits,
      providerLimits,
      attempt,
      leave,
      live,
      takeCancel: async () => {
        const target = { appender, stores, projection, registry };
        // Before anything else, so that no other row can keep it from the run.
        if (await takeCancel(target)) return true;
        await takeRevocations(target);
        await takeFeedback(target);
        return false;
      },
      onCancelUnknown: (error) => held.onLookFailed?.(run, error),
    },
  };
}

/** As its record says, if it has begun. */
function isContinued({ lastTurn }: RunProjection, [started]: readonly LoopEvent[]): boolean {
  return started?.type === "turn.started"
    ? started.content.continues === true
    : lastTurn?.continued !== undefined;
}

/** The block of a turn that is only sealed, on this worker. */
export async function findSignerBlock(
  held: Pick<HeldRun, "signer" | "clock" | "appender">,
): Promise<Block | undefined> {
  const signer = await findSigner(held);
  return signer.kind === "blocked" ? signer.block : undefined;
}

/** The block of the run's next turn, or of the open one, on this worker. */
export async function findBlock(
  held: Pick<HeldRun, "projection" | "registry" | "tools" | "signer" | "clock" | "appender">,
  recorded: readonly LoopEvent[],
): Promise<Block | undefined> {
  const { spec } = held.projection();
  invariant(spec !== null, "a run has started");
  const found = findTurnLoops({ ...spec, recorded }, held);
  if (found.kind === "blocked") return found.block;
  // Actions of a turn that cannot be sealed would have no receipt, and resuming it would be counted
  // in vain.
  return findSignerBlock(held);
}

/** A cancel needs no loops: what was done until then is sealed as it stands. */
export async function withdrawTurn(
  held: HeldRun,
  { turn, open, from }: OpenTurn,
): Promise<TurnResult> {
  // It ends when the runs that it started have ended. Runs that it could not start end with it.
  for (const { handoff } of open)
    if (handoff !== null && (await canStart(handoff, held)))
      return { kind: "waiting", untilMs: undefined, for: "person" };
  const recorded = await readOpenTurn(held, from);
  const spending = () => held.projection().spending;
  return closeWithdrawnTurn({ turn, recorded }, { ...held, spending });
}

/** The record of the open turn. */
async function readOpenTurn({ appender, stores }: HeldRun, from: number): Promise<LoopEvent[]> {
  await appender.flush();
  return collectEvents(stores.log, appender.run, from);
}

/** Counts the resume before anything is tried: what is tried may take this worker down too. */
async function noteResume({ appender }: HeldRun, open: OpenTurn): Promise<LoopEvent> {
  const { turn, resumes } = open;
  const resumed = appender.push(() => ({
    type: "turn.resumed",
    turn,
    actor: host,
    content: { resumes: resumes + 1 },
  }));
  await appender.flush();
  return resumed;
}

async function readTurnInput(
  { appender }: HeldRun,
  recorded: readonly LoopEvent[],
): Promise<JsonValue> {
  const [started] = recorded;
  invariant(started?.type === "turn.started", "a turn begins with its start");
  return readRecordedInput(appender.content, started.content.input);
}

async function nextInput({ appender, projection }: HeldRun): Promise<JsonValue> {
  const { spec, input, lastTurn, signals, turns } = projection();
  invariant(spec !== null && input !== null, "a run has started");
  const same = lastTurn?.continued ?? lastTurn?.tried;
  if (same !== undefined) return appender.content.read(same);
  const { nextInput: mapping, awaits } = spec.bounds;
  const { content } = appender;
  // Until a signal has begun a turn, every turn is the first one tried again.
  const isFirst = turns === 0 || awaits?.every((name) => !Object.hasOwn(signals, name)) === true;
  if (mapping === undefined || isFirst) return content.read(input);
  const payloads: [string, JsonValue][] = [];
  for (const [name, payload] of Object.entries(signals))
    payloads.push([name, await content.read(payload)]);
  const output = lastTurn?.output == null ? null : await content.read(lastTurn.output);
  const next = decideNext(mapping, {
    input: await content.read(input),
    output,
    turn: turns,
    signals: Object.fromEntries(payloads),
  });
  // A mapping that leads nowhere gives the turn nothing: its loop's schema then refuses it, and the
  // refusal is sealed.
  return next.kind === "input" ? next.input : {};
}
