/** What running a node needs, and what it comes to. */
import type { CallErrorCode, JsonObject, JsonValue } from "@turnseal/protocol";
import type { CheckedLoop } from "../../definition/check-loop.ts";
import type { CheckedNode } from "../../definition/flow/checked-node.ts";
import type { Failed, Paused } from "../../outcome.ts";
import type { Frame } from "../../resume/frame.ts";
import type { World } from "../../world.ts";
import type { CallChild } from "../call-child.ts";

/** Where a node runs: with the rounds, items and tries around it. */
export interface NodePlace {
  /** Its composite's call; one of several that run beside each other has a branch of its own. */
  readonly frame: Frame;
  /** Its path below the call's: /flow/nodes/0/rounds/2. */
  readonly path: string;
  /** Where it stands in the definition, for threads and notes. */
  readonly place: string;
  /** What may be read: `input` and, by name, what ended before. */
  readonly known: JsonObject;
  /** Names that stand for nothing: a path leaves its field out, an expression sees null. */
  readonly absent: readonly string[];
  /** Names of nodes that are not critical and failed, and of those that needed them. */
  readonly blocked: ReadonlySet<string>;
  /**
   * How many nodes were run on the way here. An item counts by itself, and what is counted of it
   * counts around it when it has ended: what loses may or may not be run again by a resume.
   */
  readonly runs: NodeRuns;
  /** What the tries of the node share. */
  readonly tries?: NodeTries;
}

export interface NodeTries {
  /** True where a failure of this try, by its code, is followed by another. */
  readonly isTriedAgain: (code: CallErrorCode) => boolean;
  /** Of a fan-out: what its items gave in the tries before, by their index. */
  readonly kept: Map<number, JsonValue>;
}

export interface NodeRuns {
  count: number;
}

type RunInside = (node: CheckedNode, place: NodePlace) => Promise<NodeOutcome>;

/** What is the same for all nodes of a call. */
export interface FlowParts {
  readonly loop: CheckedLoop;
  readonly world: World;
  readonly callChild: CallChild;
  /** Runs what stands inside a node. */
  readonly run: RunInside;
  /** The same, where it was counted before. */
  readonly runCounted: RunInside;
}

/** What a node gave; `result` is what its name stands for. */
export interface Gave {
  readonly kind: "ok";
  readonly value: JsonValue;
  readonly result: JsonObject;
  /** Of a sequence: what is known at its end. */
  readonly ended?: Pick<NodePlace, "known" | "absent">;
}

/** It gave nothing, and what follows goes on; where it is blocked, not what reads it. */
export interface Skipped {
  readonly kind: "skipped";
  readonly isBlocked: boolean;
}

/** What a node gave that has no more to say of it. */
export function give(value: JsonValue): Gave {
  return { kind: "ok", value, result: { status: "ok", output: value } };
}

/** What stands inside a node gave, where it gave anything. */
export function outputOf(outcome: Gave | Skipped): JsonValue {
  return outcome.kind === "ok" ? outcome.value : null;
}

/** The place of what stands inside a node. `segment` is the same in path and definition. */
export function placeInside(place: NodePlace, segment: string): NodePlace {
  return { ...place, path: place.path + segment, place: place.place + segment };
}

export type NodeOutcome = Gave | Skipped | Failed | Paused;
