import type { Ids, Model, Roots, Secrets, ToolBinding } from "@turnseal/ports";
import type { PriceTable } from "@turnseal/protocol";
import type { CallCaches } from "./cache/call-caches.ts";
import type { LiveTurn } from "./live-turn.ts";
import type { RunArtifacts } from "./log/run-artifacts.ts";
import type { RunFiles } from "./log/run-files.ts";
import type { Notes } from "./notes/notes.ts";
import type { Plans } from "./plans/plans.ts";
import type { PinnedLoops } from "./registry/registry.ts";
import type { Journal } from "./step/action.ts";
import type { Threads } from "./thread/threads.ts";
import type { TurnGuidance } from "./turn-guidance.ts";

/** The functions of tools, by name and version. */
export interface BoundTools {
  /** The function of a tool in one version; undefined when nobody has bound one. */
  find(implementation: string, version: string): ToolBinding | undefined;
  /**
   * The roots of files that tools declare, as far as somebody has bound them. Absent where nobody
   * acts, and where they are not missed.
   */
  readonly roots?: Roots;
}

/**
 * What a root call acts upon: the ports, the operator's bindings, and the loops as they were when
 * it started.
 */
export interface World {
  readonly ids: Ids;
  readonly models: ReadonlyMap<string, Model>;
  readonly tools: BoundTools;
  readonly secrets: Secrets;
  readonly loops: PinnedLoops;
  readonly journal: Journal;
  /** What answers calls again; undefined outside a run, where each is made. */
  readonly caches?: CallCaches;
  /** What every prompt is given to read. */
  readonly guidance: TurnGuidance;
  /** The files of the run; undefined outside one, where nothing is kept. */
  readonly files?: RunFiles;
  /** The files outside that the run manages; undefined outside one. */
  readonly artifacts?: RunArtifacts;
  /** What prompts were told before; undefined outside a run, where nothing is kept. */
  readonly threads?: Threads;
  /** What was noted; undefined outside a run. */
  readonly notes?: Notes;
  /** What was planned; undefined outside a run, where nobody can be asked. */
  readonly plans?: Plans;
  /** The run, where it is a rollback: no other takes back what a run did. */
  readonly rollback?: string;
  /** True when the turn goes on where the one before ran out of rounds. */
  readonly continues?: boolean;
  /** Told when the root prompt has no round left. */
  readonly onRanOut?: () => void;
  /** Whoever watches what is being written. Without it nothing is told, and nothing streams. */
  readonly live?: LiveTurn;
  /** What models cost, where the operator knows it. */
  readonly prices: PriceTable | undefined;
}
