import type { BlobRef, JsonValue } from "@turnseal/protocol";
import type { ApprovalStatus, SummarizedEntries } from "@turnseal/protocol/events";

/**
 * The state from earlier events that the next event of a session needs.
 *
 * It is bounded by one turn: a new turn drops the state of the one before. So a reader that begins
 * in the middle reads one turn at most.
 */
export interface SessionState {
  readonly run: string;
  /** The latest turn, and whether it is open; zero before the first. */
  readonly turn: number;
  readonly isOpen: boolean;
  /** Whether the run moves, waits for a person, or is over. */
  readonly standing: Standing;
  /** True when a person has stopped the turn: it has nothing to say any more. */
  readonly isAborted: boolean;
  /** How the root call of the turn failed. */
  readonly failure: string | null;
  /** The class of the failure of the last model request, where it failed. */
  readonly providerFailure: string | null;
  /** The caller of each call that has not ended. */
  readonly callers: ReadonlyMap<string, string | null>;
  /** Filters and summarizers: none of their output is shown. */
  readonly filters: ReadonlySet<string>;
  /** Calls whose words are not shown, since filters look at them first. */
  readonly filtered: ReadonlySet<string>;
  /** True when the turn itself is such a call. */
  readonly isRootFiltered: boolean;
  /** Summarised entries of calls that have written nothing since. */
  readonly summarized: ReadonlyMap<string, SummarizedEntries>;
  /** The fan-outs of the turn, and where the calls of their flows stand. */
  readonly fanOuts: readonly OpenFanOut[];
  readonly spots: ReadonlyMap<string, FlowSpot>;
  /** Tool calls that have not ended, in the order of their requests. */
  readonly tools: readonly OpenTool[];
}

/** A fan-out, or a call of a flow: by the call that it stands in, and its path there. */
export interface FlowSpot {
  readonly call: string;
  readonly path: string;
}

export interface OpenFanOut extends FlowSpot {
  readonly items: number;
}

export type Standing = "moving" | "waiting" | "stopped";

export interface OpenTool {
  readonly toolCallId: string;
  /** The name that the model gave to the call; null for a call without a model. */
  readonly givenId: string | null;
  readonly toolName: string;
  readonly args: JsonValue | undefined;
  /**
   * The call of the prompt that asked, and which of how many it asked for at once; without one,
   * which item of a fan-out it serves.
   */
  readonly asker: string | null;
  readonly index: number;
  readonly total: number;
  /** The call that serves it, once there is one, and whether that has called others. */
  readonly call: string | null;
  readonly hasChildren: boolean;
  readonly isCompleted: boolean;
  /** The key of the action, and whether it only reads, once it is about to be executed. */
  readonly key: string | null;
  readonly readOnly: boolean | null;
  readonly claimedAt: string | null;
  readonly isShown: boolean;
  readonly approval: ToolApproval | null;
  /** The references of its result, its live output, and the words of its latest failure. */
  readonly result: BlobRef | null;
  readonly output: BlobRef | null;
  readonly reason: BlobRef | null;
}

export interface ToolApproval {
  readonly status: ApprovalStatus;
  readonly description: string;
  /** The event that asked, how many must approve, and who has. */
  readonly sequence: number;
  readonly approvers: number;
  readonly approvedBy: readonly string[];
}

/** The state before the first event. */
export function emptySession(run: string): SessionState {
  return {
    run,
    turn: 0,
    isOpen: false,
    standing: "moving",
    isAborted: false,
    failure: null,
    providerFailure: null,
    callers: new Map(),
    filters: new Set(),
    filtered: new Set(),
    isRootFiltered: false,
    summarized: new Map(),
    fanOuts: [],
    spots: new Map(),
    tools: [],
  };
}

/** A tool call before anything became of it. */
export const emptyTool: Omit<OpenTool, "toolCallId" | "toolName" | "args"> = {
  givenId: null,
  asker: null,
  index: 0,
  total: 1,
  call: null,
  hasChildren: false,
  isCompleted: false,
  key: null,
  readOnly: null,
  claimedAt: null,
  isShown: false,
  approval: null,
  result: null,
  output: null,
  reason: null,
};

/** True when a call is one of these, or runs inside one of them. */
export function isWithin(
  { callers }: SessionState,
  call: string,
  calls: ReadonlySet<string>,
): boolean {
  if (calls.size === 0) return false;
  for (let each: string | null = call; each !== null; each = callers.get(each) ?? null)
    if (calls.has(each)) return true;
  return false;
}
