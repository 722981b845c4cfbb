/** A workflow file once its keys are checked. */
import type { JsonValue } from "@turnseal/protocol";
import type {
  CACHES,
  CONTEXTS,
  FALLBACKS,
  FORMATS,
  LLMS,
  MODES,
  ON_ERRORS,
  RETRIES,
} from "./tables.ts";

type One<Names extends readonly string[]> = Names[number];

export interface WorkflowDocument {
  readonly workflow?: WorkflowTable;
  readonly steps?: readonly StepTable[];
  readonly states?: readonly StateTable[];
}

export interface Strategies {
  readonly context?: One<typeof CONTEXTS> | ContextTable;
  readonly cache?: One<typeof CACHES> | CacheTable;
  readonly retry?: One<typeof RETRIES> | RetryTable;
  readonly llm?: One<typeof LLMS> | LlmTable;
}

export interface WorkflowTable extends Strategies {
  readonly name?: string;
  readonly description?: string;
  readonly version?: string;
  readonly initial_state?: string;
  readonly limits?: { readonly max_turns?: number; readonly timeout_seconds?: number };
  readonly inputs?: Readonly<Record<string, string>>;
  readonly verbs?: Readonly<Record<string, readonly string[]>>;
  readonly stall?: StallTable;
  readonly steps?: readonly StepTable[];
  readonly states?: readonly StateTable[];
}

export interface ContextTable {
  readonly strategy: One<typeof CONTEXTS>;
  readonly last?: number;
}

export interface CacheTable {
  readonly strategy: One<typeof CACHES>;
  readonly ttl_seconds?: number;
  readonly preview_length?: number;
}

export interface RetryTable {
  readonly strategy: One<typeof RETRIES>;
  readonly max_attempts?: number;
  readonly delay?: number;
  readonly cap?: number;
  readonly jitter?: boolean;
}

export interface LlmTable {
  readonly strategy?: One<typeof LLMS>;
  readonly provider?: string;
  readonly model?: string;
  readonly system_prompt?: string;
  readonly thinking?: boolean;
  readonly max_actions?: number;
  readonly parallel?: boolean;
  readonly format?: One<typeof FORMATS>;
}

export interface StallTable {
  readonly same_action?: number;
  readonly same_failure?: number;
  readonly fallback?: One<typeof FALLBACKS>;
}

/** The keys of the work of a step or a state. */
export interface Doing {
  readonly name?: string;
  readonly action?: string;
  readonly prompt?: string;
  readonly plugin?: string;
  readonly source?: string;
  readonly field?: string;
  readonly format?: string;
  readonly workflow?: string;
  readonly for_each?: string | readonly JsonValue[];
  readonly as?: string;
  readonly max_items?: number;
  readonly concurrency?: number;
  readonly on_error?: One<typeof ON_ERRORS>;
  readonly max_retries?: number;
}

export interface StepTable extends Doing, Strategies {
  readonly type?: "action" | "scope";
  readonly condition?: string;
  readonly steps?: readonly StepTable[];
  readonly scope?: ScopeTable;
  readonly context_mode?: One<typeof MODES>;
  readonly summarize?: boolean;
  readonly group?: boolean;
}

export interface ScopeTable extends Strategies {
  readonly steps: readonly StepTable[];
}

export interface StateTable extends Doing {
  readonly name: string;
  readonly terminal?: boolean;
  readonly on_entry?: string;
  readonly on_exit?: string;
  readonly parallel?: readonly string[];
  readonly join?: string;
  readonly llm_select?: boolean;
  readonly transitions?: readonly TransitionTable[];
}

export interface TransitionTable {
  readonly condition?: string;
  readonly next: string;
}
