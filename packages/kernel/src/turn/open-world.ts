/** Opens the surroundings of a turn's root call, and the journal in them. */
import { memorySecrets, seededIds } from "@turnseal/ports";
import { digestOf, type LoopEvent } from "@turnseal/protocol";
import type { FoundLoops } from "../admission/find-loops.ts";
import { type CallCaches, createCallCaches } from "../cache/call-caches.ts";
import type { KeptOutputs } from "../journal/kept-outputs.ts";
import { turnJournal } from "../journal/turn-journal.ts";
import { createRunArtifacts } from "../log/run-artifacts.ts";
import { createNotes } from "../notes/notes.ts";
import { createPlans } from "../plans/plans.ts";
import type { RecordedTurn } from "../resume/recorded-turn.ts";
import { createLiveTurn } from "../step/live-turn.ts";
import type { TurnAuthority } from "../step/step.ts";
import type { Threads } from "../thread/threads.ts";
import type { Control, Identity, Memory, RunWorld } from "../world.ts";
import { giveGuidance } from "./give-guidance.ts";
import { judgeActions, listUnitsRead } from "./judge-actions.ts";
import type { TurnPorts, TurnRequest } from "./turn-request.ts";
import { watchForCancel } from "./watch-for-cancel.ts";

/** The loops of the root call, and the threads and outputs of its turn. */
export interface RootGiven extends FoundLoops {
  readonly threads: Threads;
  readonly outputs: KeptOutputs;
}

/** The record of the turn so far, in the form that a resume needs. */
interface Resumed {
  readonly recorded: RecordedTurn;
  readonly cancelling: Cancelling;
  readonly onRanOut: Control["onRanOut"];
}

type WorldPorts = Omit<TurnPorts, "signer">;

export function openWorld(
  given: RootGiven,
  request: TurnRequest,
  { recorded, cancelling, onRanOut }: Resumed,
  ports: WorldPorts,
): RunWorld {
  const { run, turn } = request;
  const { appender, clock, effects, control } = ports;
  const { models, prices, tools, secrets = memorySecrets() } = effects;
  const { signal, watch } = cancelling;
  const authority = openAuthority(request, ports);
  const identity = {
    run,
    isRollback: request.isRollback === true,
    ids: seededIds(run),
    loops: given.loops,
  };
  const journal = turnJournal({
    run,
    turn,
    appender,
    recorded,
    clock,
    authority,
    control: { ...control, signal, watch },
    outputs: given.outputs,
  });
  return {
    kind: "run",
    identity,
    effects: { models, prices, tools, secrets, journal },
    memory: openMemory(given, request, { recorded, signal, authority, identity }, ports),
    control: {
      continues: request.continues === true,
      onRanOut,
      live: control.live && createLiveTurn(control.live, { run, turn }),
    },
  };
}

/** A cancel of the turn: the signal of its actions, and the look for one while they act. */
export interface Cancelling {
  readonly signal: AbortSignal;
  readonly watch: ReturnType<typeof watchForCancel>;
}

export function openCancelling({ clock, control }: WorldPorts): Cancelling {
  const { attempt, takeCancel, onCancelUnknown: onFailed } = control;
  const cancel = new AbortController();
  const signals = attempt === undefined ? [] : [attempt];
  return {
    signal: AbortSignal.any([cancel.signal, ...signals]),
    watch: watchForCancel({ clock, takeCancel, cancel, onFailed }),
  };
}

function openAuthority(
  { run, turn, grant, starters = [], committed: before = {} }: TurnRequest,
  { spending, standing, control: { rules } }: WorldPorts,
): TurnAuthority {
  return {
    caps: grant,
    grantDigest: () => digestOf(grant),
    starters,
    judge: judgeActions({ run, turn, rules, before, spending }),
    unitsRead: listUnitsRead(rules),
    spending,
    standing,
    before,
  };
}

/** What the memory shares with the journal. */
interface MemoryGiven {
  readonly recorded: RecordedTurn;
  readonly signal: AbortSignal;
  readonly authority: TurnAuthority;
  readonly identity: Identity;
}

function openMemory(
  { threads, outputs }: RootGiven,
  request: TurnRequest,
  given: MemoryGiven,
  ports: WorldPorts,
): Memory {
  const { turn } = request;
  const { appender, effects, memory } = ports;
  const { content } = appender;
  const { recorded, identity } = given;
  const guidance = giveGuidance(request.guidance, content);
  const { notes: before = {}, artifacts: managed = {} } = memory;
  const artifacts = createRunArtifacts({ roots: effects.tools.roots, managed, content });
  return {
    guidance,
    threads,
    outputs,
    notes: createNotes({ turn, before, appender, recorded, ids: identity.ids }),
    plans: createPlans({ turn, appender, recorded }),
    caches: openCaches(request, { ...given, guidance, artifacts }, ports),
    files: content.files,
    artifacts,
  };
}

function openCaches(
  { run, turn, recorded: before }: TurnRequest,
  {
    recorded,
    signal,
    authority,
    identity,
    guidance,
    artifacts,
  }: MemoryGiven & Pick<Memory, "guidance" | "artifacts">,
  { appender, clock, effects, memory, control: { rules = {} } }: WorldPorts,
): CallCaches {
  return createCallCaches({
    run,
    turn,
    appender,
    recorded,
    clock,
    signal,
    authority,
    loops: identity.loops,
    models: effects.models,
    tools: effects.tools,
    guidance,
    artifacts,
    hasRules: Object.keys(rules).length > 0,
    indexes: memory.calls,
    events: (): readonly LoopEvent[] => [...before, ...appender.sinceMark()],
  });
}
