/**
 * A graph in memory. Whoever folds changes into it owns it: a change is written in place, after
 * everything about it has been checked, so that its cost does not grow with the graph.
 */

import type { GraphRowChange } from "@turnseal/ports";
import type { ObjectType } from "@turnseal/protocol/graph";
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

/** What is kept of a node beside what it says. */
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
  /** Told of everything that is written, for whoever keeps the graph as rows. */
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
