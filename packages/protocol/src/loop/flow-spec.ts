/**
 * The body of a composite as a flow (spec/flow.md): nodes that stand inside each other.
 *
 * 1. A node says what it does by its `kind`, and what may go wrong with it by the fields that all
 *    nodes share.
 * 2. Conditions and computed values are CEL over the names in scope: `input`, the names of ended
 *    nodes, and the values of the node around them (an item, a round, a state).
 * 3. Each repetition has a maximum, so the most that a flow may do is known before it runs.
 */
import { CALL_ERROR_CODES, type CallErrorCode } from "../call-error.ts";
import type { CacheSpec } from "./cache-spec.ts";
import type { JsonSchema } from "./json-schema.ts";
import type { LoopReference } from "./loop-reference.ts";
import type { Mapping, MappingSource } from "./mapping.ts";

/** How deep nodes may stand inside each other: the flow itself is at depth one. */
export const FLOW_DEPTH_MAX = 16;
/** Nodes of one flow. */
export const FLOW_NODES_MAX = 256;

export const NODE_KINDS = [
  "call",
  "sequence",
  "parallel",
  "branch",
  "repeat",
  "forEach",
  "machine",
  "wait",
] as const;
export type NodeKind = (typeof NODE_KINDS)[number];

export type FlowNode =
  | CallNode
  | SequenceNode
  | ParallelNode
  | BranchNode
  | RepeatNode
  | ForEachNode
  | MachineNode
  | WaitNode;

/** The effect on the flow when a node has failed for good. */
export const ERROR_CHOICES = ["fail", "skip", "continue"] as const;
export type ErrorRule = (typeof ERROR_CHOICES)[number];

/** The options of every node. */
interface NodeFields {
  /** The name of its result for later nodes: `$.name.output`. */
  readonly name?: string;
  /** CEL: where it is false the node is skipped. */
  readonly when?: string;
  /** One line for people, in words or as an expression of a text. */
  readonly summary?: string | { readonly cel: string };
  readonly retry?: RetrySpec;
  /** Runs once, after the last try; it knows `error`. */
  readonly otherwise?: FlowNode;
  /** `fail` if absent. `skip`: it has no result. `continue`: its result is the error. */
  readonly onError?: ErrorRule;
  /** False: if it fails, nodes that read its result are skipped, and all others go on. */
  readonly critical?: boolean;
  readonly timeoutMs?: number;
}

/** Codes that end the whole tree of a call: no node tries again after one, or goes on. */
export const FINAL_CODES = [
  "CANCELLED",
  "POLICY_DENIED",
  "DEPTH_EXCEEDED",
  "BUDGET_EXCEEDED",
] as const satisfies readonly CallErrorCode[];
export const RETRIED_CODES: readonly CallErrorCode[] = CALL_ERROR_CODES.filter(
  (code) => !(FINAL_CODES as readonly CallErrorCode[]).includes(code),
);

export const RETRY_STRATEGIES = ["immediate", "fixed", "exponential"] as const;
export type RetryStrategy = (typeof RETRY_STRATEGIES)[number];

/** How often a node is tried again, and after what. */
export interface RetrySpec {
  readonly strategy: RetryStrategy;
  /** Tries in all, the first among them. */
  readonly max?: number;
  /** Before the second try; `exponential` doubles it each time. */
  readonly delayMs?: number;
  /** The longest delay. */
  readonly capMs?: number;
  /** Up to half of each delay is taken off, by a share that follows from the call. */
  readonly jitter?: boolean;
  /** The codes that are worth another try; by default, those of a tool, a model and a child. */
  readonly on?: readonly CallErrorCode[];
}

export interface CallNode extends NodeFields, LoopReference {
  readonly kind: "call";
  readonly inputMapping: Mapping;
  readonly grantMapping?: Mapping;
  /** In a run, a larger output becomes its first bytes, so many, and a handle to the whole. */
  readonly preview?: number;
  /** In a run, an equal call of this turn answers it, as long as nothing was changed since. */
  readonly cache?: CacheSpec;
}

/** One after the other. It gives what its last node gave, or what its mapping makes. */
export interface SequenceNode extends NodeFields {
  readonly kind: "sequence";
  readonly nodes: readonly FlowNode[];
  readonly outputMapping?: Mapping;
  /** True: its calls are claimed before any of them acts, and done as a whole or taken back. */
  readonly group?: boolean;
}

/** How many have to succeed. */
export type Join = "all" | "any" | { readonly quorum: number };
export const ITEM_ERROR_CHOICES = ["halt", "continue"] as const;
export type ItemErrorRule = (typeof ITEM_ERROR_CHOICES)[number];
/** Failures that a fan-out tolerates. */
export type Tolerance = { readonly count: number } | { readonly percent: number };

interface FanOutFields {
  readonly join?: Join;
  /** If absent, `halt` for `all` and `continue` otherwise. */
  readonly onItemError?: ItemErrorRule;
  readonly tolerate?: Tolerance;
  /** How many run at once: a limit, never a meaning. */
  readonly concurrency?: number;
}

export interface ParallelNode extends NodeFields, FanOutFields {
  readonly kind: "parallel";
  readonly branches: readonly FlowNode[];
}

/** The first case whose condition holds, or `else`; null if there is none. */
export interface BranchNode extends NodeFields {
  readonly kind: "branch";
  readonly cases: readonly { readonly when: string; readonly do: FlowNode }[];
  readonly else?: FlowNode;
}

/** Whether each iteration has threads and notes of its own. */
export const ITERATION_SCOPES = ["isolated", "shared"] as const;
export type IterationScope = (typeof ITERATION_SCOPES)[number];

/** The effect of a limit that is reached before the condition or the event. */
export const LIMIT_CHOICES = ["fail", "continue"] as const;
export type LimitRule = (typeof LIMIT_CHOICES)[number];

/** Where the items of a fan-out run: inside the turn, or each as a run of its own. */
export const SPREADS = ["turn", "runs"] as const;
export type Spread = (typeof SPREADS)[number];

/** Repeats its body; it knows `round`, from 0 on, and `last`, the output of the round before. */
export interface RepeatNode extends NodeFields {
  readonly kind: "repeat";
  readonly body: FlowNode;
  /** CEL, after each round: ends the loop if it holds. Either `until` or `while` is present. */
  readonly until?: string;
  /** CEL, before each round. */
  readonly while?: string;
  /** Rounds at most. */
  readonly max: number;
  /** The effect if the condition still does not hold after the last round; `fail` if absent. */
  readonly onMax?: LimitRule;
  readonly scope?: IterationScope;
}

/** Its body for each item of a list. */
export interface ForEachNode extends NodeFields, FanOutFields {
  readonly kind: "forEach";
  readonly items: MappingSource;
  /** Items at most. */
  readonly max: number;
  /** The name of an item in the body, `item` if absent; its index is `<name>Index`. */
  readonly as?: string;
  readonly body: FlowNode;
  readonly scope?: IterationScope;
  /** `runs`: each item is a run of its own. */
  readonly spread?: Spread;
}

/**
 * A state machine, with one current state; it knows `last` and `states`, the last output of each.
 */
export interface MachineNode extends NodeFields {
  readonly kind: "machine";
  readonly initial: string;
  readonly states: Readonly<Record<string, StateSpec>>;
  readonly maxTransitions?: number;
  readonly scope?: IterationScope;
}

export interface StateSpec {
  readonly body?: FlowNode;
  /** Before the body, when it is entered from another state. */
  readonly onEntry?: FlowNode;
  readonly onExit?: FlowNode;
  /** The machine ends here, and gives what the state gave. */
  readonly terminal?: boolean;
  /** The first whose condition holds is taken; one without a condition always is. */
  readonly transitions?: readonly TransitionSpec[];
}

export interface TransitionSpec {
  /** CEL; it also knows `result`, the result of the state's body. */
  readonly when?: string;
  readonly next: string;
}

/** Waits for a signal, an answer or a time. */
export interface WaitNode extends NodeFields {
  readonly kind: "wait";
  readonly for: WaitedFor;
  /** How long, at most. */
  readonly withinMs?: number;
  /** The effect of a timeout: `fail` if absent; `continue` gives null. */
  readonly onTimeout?: LimitRule;
}

export type WaitedFor =
  /** The payload of a signal with this name. */
  | { readonly signal: string; readonly schema?: JsonSchema }
  /** The answer to a question, which is a loop of its own. */
  | { readonly question: LoopReference & { readonly inputMapping: Mapping } }
  /** A time: an instant as a text. */
  | { readonly until: MappingSource };
