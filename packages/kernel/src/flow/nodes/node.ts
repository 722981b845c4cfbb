/** The inputs and the results of running a node. */
import type { CallErrorCode, JsonObject, JsonValue } from "@turnseal/protocol";
import type { CheckedLoop } from "../../definition/check-loop.ts";
import type { CheckedNode } from "../../definition/flow/checked-node.ts";
import type { Failed, Paused } from "../../outcome.ts";
import type { Frame } from "../../resume/frame.ts";
import type { RunWorld, World } from "../../world.ts";
import type { CallChild } from "../call-child.ts";

/** Where a node runs: with the rounds, items and tries around it. */
export interface NodePlace {
  /** Its composite's call; one of several that run beside each other has a branch of its own. */
  readonly frame: Frame;
  /** Its path below the call's: /flow/nodes/0/rounds/2. */
  readonly path: string;
  /** Its place in the definition, for threads and notes. */
  readonly place: string;
  /** The readable values: `input` and, by name, results of earlier nodes. */
  readonly known: JsonObject;
  /** Names that stand for nothing: a path leaves its field out, an expression sees null. */
  readonly absent: readonly string[];
  /** Names of failed nodes that are not critical, and of nodes that needed them. */
  readonly blocked: ReadonlySet<string>;
  /**
   * How many nodes were run on the way here. Each item counts separately, and is added when it has
   * ended, since a resume may or may not repeat losing items.
   */
  readonly runs: NodeRuns;
  /** The shared state of the node's tries. */
  readonly tries?: NodeTries;
}

export interface NodeTries {
  /** True where a failure of this try, by its code, is followed by another. */
  readonly isTriedAgain: (code: CallErrorCode) => boolean;
  /** Of a fan-out: the results of its items in earlier tries, by their index. */
  readonly kept: Map<number, JsonValue>;
}

export interface NodeRuns {
  count: number;
}

type RunInside = (node: CheckedNode, place: NodePlace) => Promise<NodeOutcome>;

/** The parts that all nodes of a call share. */
export interface FlowParts {
  readonly loop: CheckedLoop;
  readonly world: World;
  readonly callChild: CallChild;
  /** Runs what stands inside a node. */
  readonly run: RunInside;
  /** The same, where it was counted before. */
  readonly runCounted: RunInside;
}

/** The same, in a run. */
export interface RunFlowParts extends FlowParts {
  readonly world: RunWorld;
}

/** The result of a node; `result` is the value of its name. */
export interface Gave {
  readonly kind: "ok";
  readonly value: JsonValue;
  readonly result: JsonObject;
  /** Of a sequence: the readable values at its end. */
  readonly ended?: Pick<NodePlace, "known" | "absent">;
}

/** It gave nothing, and what follows goes on; where it is blocked, not what reads it. */
export interface Skipped {
  readonly kind: "skipped";
  readonly isBlocked: boolean;
}

/** Makes the outcome of a node that returns a plain value. */
export function give(value: JsonValue): Gave {
  return { kind: "ok", value, result: { status: "ok", output: value } };
}

/** The result of the inner node; null where it was skipped. */
export function outputOf(outcome: Gave | Skipped): JsonValue {
  return outcome.kind === "ok" ? outcome.value : null;
}

/** The place of what stands inside a node. `segment` is the same in path and definition. */
export function placeInside(place: NodePlace, segment: string): NodePlace {
  return { ...place, path: place.path + segment, place: place.place + segment };
}

export type NodeOutcome = Gave | Skipped | Failed | Paused;
