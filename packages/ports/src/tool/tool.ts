import type { Effect, JsonValue, Needs } from "@turnseal/protocol";
import type {
  DeclaredCompensation,
  GateAnswer,
  Reconcile,
  ToolFunction,
} from "@turnseal/protocol/authoring";

/**
 * A function of the operator's, bound to the name in a tool loop.
 *
 * It MUST answer with plain JSON, or throw. It SHOULD stop when `context.signal` is aborted: from
 * then on nobody waits for it, and what it says later is not heard. It MUST NOT keep `context`
 * after it has answered.
 */
export type Tool = ToolFunction<JsonValue, unknown>;

/** A tool with what it declares about its effect. */
export interface ToolBinding {
  readonly run: Tool;
  /**
   * `read` changes nothing. `idempotent` MUST act once for each `context.key`, however often it is
   * called. `reconcile` can be asked what became of a key. `once` can neither be repeated nor
   * asked: a person decides.
   */
  readonly effect: Effect;
  /** A name for the code, recorded with each claim. */
  readonly build: string;
  /**
   * For `reconcile`: what became of a key. An answer of `never` MUST mean that from now on the tool
   * refuses this key to every worker of an earlier epoch than the one that asks.
   */
  readonly reconcile?: Reconcile;
  /**
   * Names of the secrets that it is given in `context.secrets`. Whatever it says is redacted for
   * them. A tool whose secret is not there is not executed.
   */
  readonly secrets?: readonly string[];
  /**
   * What it needs of the grant for an input. MUST be pure: the same for the same input, whenever it
   * is asked.
   */
  needs?(input: JsonValue): Needs;
  /**
   * What it says itself before it is executed with an input: that it may run, that a person is
   * asked first, or that it is blocked. It adds to what the rules say, and takes nothing away. MUST
   * be pure.
   */
  gate?(input: JsonValue): GateAnswer;
  /**
   * The root of files that it reads and changes through `context.artifacts`, which each worker
   * binds to a folder of its own, unless the tool inspects it. A run of which a worker has bound no
   * such root is left to others.
   */
  readonly artifacts?: { readonly root: string };
  /** How a person can undo its effect by hand, in words for whoever approves it. */
  readonly undo?: string;
  /** What takes its effect back, in a rollback (spec/rollback.md). */
  readonly compensation?: DeclaredCompensation;
  /** Why nothing can take its effect back. */
  readonly irreversible?: string;
  /** True for a compensation: its input names the action that it takes back. */
  readonly takesBack?: true;
  /** True for the one that puts files back: a host does it, by what the log says of the action. */
  readonly restores?: true;
}
