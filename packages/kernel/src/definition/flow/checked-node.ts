/** A flow that may run: every expression is compiled, every default is filled in. */
import type {
  CacheSpec,
  CallErrorCode,
  ErrorRule,
  ItemErrorRule,
  IterationScope,
  Join,
  JsonSchema,
  RetryStrategy,
  Tolerance,
} from "@turnseal/protocol";
import type { Expression } from "../../bounded/condition/expression.ts";
import type { CheckedMapping, CheckedSource } from "../checked-mapping.ts";

export type CheckedNode =
  | CheckedCall
  | CheckedSequence
  | CheckedParallel
  | CheckedBranch
  | CheckedRepeat
  | CheckedForEach
  | CheckedMachine
  | CheckedWait;

export type CheckedNodeOf<Kind extends CheckedNode["kind"]> = Extract<
  CheckedNode,
  { readonly kind: Kind }
>;

export interface CheckedExpression {
  readonly text: string;
  readonly evaluate: Expression;
}

interface CheckedFields {
  /** Its place in the document: /composite/flow/nodes/0. */
  readonly at: string;
  readonly name: string | undefined;
  readonly when: CheckedExpression | undefined;
  readonly summary: string | CheckedExpression | undefined;
  readonly retry: CheckedRetry | undefined;
  readonly otherwise: CheckedNode | undefined;
  readonly onError: ErrorRule;
  readonly isCritical: boolean;
  readonly timeoutMs: number | undefined;
  /** The names of earlier nodes that it reads, or that something in it does. */
  readonly reads: ReadonlySet<string>;
}

export interface CheckedRetry {
  readonly strategy: RetryStrategy;
  readonly max: number;
  readonly delayMs: number;
  readonly capMs: number;
  readonly hasJitter: boolean;
  readonly on: ReadonlySet<CallErrorCode>;
}

export interface CheckedCall extends CheckedFields {
  readonly kind: "call";
  readonly loopId: string;
  readonly loopVersion: string | undefined;
  readonly mapping: CheckedMapping;
  readonly grantMapping: CheckedMapping | undefined;
  readonly preview: number | undefined;
  readonly cache: CacheSpec | undefined;
}

interface CheckedSequence extends CheckedFields {
  readonly kind: "sequence";
  readonly nodes: readonly CheckedNode[];
  readonly outputMapping: CheckedMapping | undefined;
  /** Where it is an effect group: its members. */
  readonly members: readonly CheckedCall[] | undefined;
}

interface CheckedFanOut {
  readonly join: Join;
  readonly onItemError: ItemErrorRule;
  readonly tolerate: Tolerance | undefined;
  readonly concurrency: number;
}

interface CheckedParallel extends CheckedFields, CheckedFanOut {
  readonly kind: "parallel";
  readonly branches: readonly CheckedNode[];
}

interface CheckedBranch extends CheckedFields {
  readonly kind: "branch";
  readonly cases: readonly { readonly when: CheckedExpression; readonly do: CheckedNode }[];
  readonly otherCase: CheckedNode | undefined;
}

interface CheckedRepeat extends CheckedFields {
  readonly kind: "repeat";
  readonly body: CheckedNode;
  readonly until: CheckedExpression | undefined;
  readonly while: CheckedExpression | undefined;
  readonly max: number;
  readonly onMax: "fail" | "continue";
  readonly scope: IterationScope;
}

interface CheckedForEach extends CheckedFields, CheckedFanOut {
  readonly kind: "forEach";
  readonly items: CheckedSource;
  readonly max: number;
  readonly as: string;
  readonly body: CheckedNode;
  readonly scope: IterationScope;
  readonly spread: "turn" | "runs";
}

interface CheckedMachine extends CheckedFields {
  readonly kind: "machine";
  readonly initial: string;
  readonly states: ReadonlyMap<string, CheckedState>;
  readonly maxTransitions: number;
  readonly scope: IterationScope;
}

export interface CheckedState {
  readonly body: CheckedNode | undefined;
  readonly onEntry: CheckedNode | undefined;
  readonly onExit: CheckedNode | undefined;
  readonly isTerminal: boolean;
  readonly transitions: readonly {
    readonly when: CheckedExpression | undefined;
    readonly next: string;
  }[];
}

interface CheckedWait extends CheckedFields {
  readonly kind: "wait";
  readonly for: CheckedAwaited;
  readonly withinMs: number;
  readonly onTimeout: "fail" | "continue";
}

type CheckedAwaited =
  | { readonly signal: string; readonly schema: JsonSchema }
  | { readonly question: Pick<CheckedCall, "loopId" | "loopVersion" | "mapping"> }
  | { readonly until: CheckedSource };
