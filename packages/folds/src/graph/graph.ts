/**
 * A graph in memory. The fold that changes it owns it: a change is written in place, after all of
 * its checks, so that its cost does not grow with the graph.
 */

import type { GraphRowChange, ObjectType } from "@turnseal/protocol/graph";
import type { AnyObject } from "./graph-change.ts";
import { createHashTree, type HashTree } from "./hash-tree.ts";

export const EDGE_KINDS = [
  "HAS_CONTEXT",
  "CONTAINS",
  "DEPENDS_ON",
  "ASSIGNED_TO",
  "TRACES",
  "CONFIRMS",
  "PART_OF",
] as const;
export type EdgeKind = (typeof EDGE_KINDS)[number];

export interface Edge {
  readonly kind: EdgeKind;
  readonly from: string;
  readonly to: string;
}

export interface GraphNode {
  readonly id: string;
  readonly type: ObjectType;
  /** The object without its parts: those are nodes of their own. */
  readonly object: AnyObject;
  /** Counts the changes of this node, from 1. */
  readonly version: number;
  /** Of a part: the plan or trace that it is in, and its place there. */
  readonly owner?: string;
  readonly place?: number;
}

/** The kept facts of a node beside its object. */
export interface NodeEntry {
  node: GraphNode;
  readonly outgoing: Map<string, Edge>;
  readonly incoming: Map<string, Edge>;
  /** Of a step: its number in an order in which every step stands after those it depends on. */
  order: number;
  /** Of a plan: its steps by status. */
  readonly steps: Map<string, number>;
  /** Of a plan or a trace: the place of the next part. */
  nextPlace: number;
}

export interface Graph {
  readonly entries: Map<string, NodeEntry>;
  readonly hashes: HashTree;
  edgeCount: number;
  nextOrder: number;
  /** Called with every write, for a graph that is kept as rows. */
  readonly onWritten?: (change: GraphRowChange) => void;
}

export function createGraph(onWritten?: Graph["onWritten"]): Graph {
  const empty = { entries: new Map(), hashes: createHashTree(), edgeCount: 0, nextOrder: 1 };
  return onWritten === undefined ? empty : { ...empty, onWritten };
}

/** The status of a node; a role has none. */
export function statusOf({ object }: GraphNode): string {
  return "status" in object ? object.status : "";
}

export function edgeKey(kind: EdgeKind, other: string): string {
  return `${kind} ${other}`;
}
