/**
 * The surroundings of a root call, in four parts. A plain call has an identity and effects. A call
 * of a run also has a memory, and is controlled.
 */
import type { Ids, Model, Roots, Secrets, ToolBinding } from "@turnseal/ports";
import type { JsonValue, PriceTable } from "@turnseal/protocol";
import type { CallCaches } from "./cache/call-caches.ts";
import type { RunArtifacts } from "./log/run-artifacts.ts";
import type { RunFiles } from "./log/run-files.ts";
import type { Notes } from "./notes/notes.ts";
import type { Plans } from "./plans/plans.ts";
import type { PinnedLoops } from "./registry/registry.ts";
import type { Journal, RunJournal } from "./step/journal.ts";
import type { LiveTurn } from "./step/live-turn.ts";
import type { Threads } from "./thread/threads.ts";
import type { TurnGuidance } from "./values/turn-guidance.ts";

export type World = CallWorld | RunWorld;

/** The surroundings of a call outside a run. */
export interface CallWorld {
  readonly kind: "call";
  readonly identity: Identity;
  readonly effects: Effects;
  readonly memory?: undefined;
  readonly control?: undefined;
}

/** The surroundings of the root call of a turn. */
export interface RunWorld {
  readonly kind: "run";
  readonly identity: RunIdentity;
  readonly effects: RunEffects;
  readonly memory: Memory;
  readonly control: Control;
}

export interface Identity {
  /** Makes the ids of calls. */
  readonly ids: Ids;
  /** The loops as they were when the root call started. */
  readonly loops: PinnedLoops;
}

export interface RunIdentity extends Identity {
  readonly run: string;
  /** Only a rollback compensates the effects of another run. */
  readonly isRollback: boolean;
}

/** The actions that a call can take. */
export interface Effects {
  readonly models: ReadonlyMap<string, Model>;
  /** The prices of models, where the operator knows them. */
  readonly prices: PriceTable | undefined;
  readonly tools: BoundTools;
  readonly secrets: Secrets;
  readonly journal: Journal;
}

export interface RunEffects extends Effects {
  readonly journal: RunJournal;
}

/** The stored parts of a run, for its calls. */
export interface Memory {
  /** The documents and summaries for every prompt. */
  readonly guidance: TurnGuidance;
  readonly threads: Threads;
  readonly notes: Notes;
  readonly plans: Plans;
  readonly caches: CallCaches;
  readonly outputs: ShownOutputs;
  readonly files: RunFiles;
  /** The files outside that the run manages. */
  readonly artifacts: RunArtifacts;
}

/** The outputs that a model is shown a part of. */
export interface ShownOutputs {
  /** Keeps an output for a call, and answers with its handle. */
  keep(call: string, output: JsonValue): string;
  /** The output of a handle, if there is one. */
  read(handle: string): Promise<JsonValue | undefined>;
}

/** How a turn is continued and watched. */
export interface Control {
  /** True when the turn goes on where the one before ran out of rounds. */
  readonly continues: boolean;
  /** Called when the root prompt has no round left. */
  readonly onRanOut: () => void;
  /** The watchers of live output; undefined where nothing streams. */
  readonly live: LiveTurn | undefined;
}

/** The functions of tools, by name and version. */
export interface BoundTools {
  /** The function of a tool in one version; undefined when none is bound. */
  find(implementation: string, version: string): ToolBinding | undefined;
  /** The bound roots of files that tools declare. Absent where no tool acts, as in a replay. */
  readonly roots?: Roots;
}

/** The same surroundings, without live output. */
export function hideLive(world: World): World {
  return world.kind === "call"
    ? world
    : { ...world, control: { ...world.control, live: undefined } };
}
