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
 * It MUST answer with plain JSON, or throw. It SHOULD stop when `context.signal` is aborted: then
 * it is abandoned, and its later result is ignored. It MUST NOT keep `context` after it has
 * answered.
 */
export type Tool = ToolFunction<JsonValue, unknown>;

/** A tool with what it declares about its effect. */
export interface ToolBinding {
  readonly run: Tool;
  /**
   * `read` changes nothing. `idempotent` MUST act once for each `context.key`, in any number of
   * calls. `reconcile` can answer what became of a key. `once` can neither be repeated nor
   * reconciled: a person decides.
   */
  readonly effect: Effect;
  /** A name for the code, recorded with each claim. */
  readonly build: string;
  /**
   * For `reconcile`: what became of a key. An answer of `never` MUST mean that the tool refuses
   * this key from now on, to every worker of an earlier epoch than the asking one.
   */
  readonly reconcile?: Reconcile;
  /**
   * Names of the secrets that it gets in `context.secrets`. All of its output is redacted for them.
   * A tool whose secret is missing is not executed.
   */
  readonly secrets?: readonly string[];
  /**
   * Its needs of the grant for an input. MUST be pure: the same for the same input, at any time.
   */
  needs?(input: JsonValue): Needs;
  /**
   * The tool's own decision before it is executed with an input: it may run, a person must approve,
   * or it is blocked. It adds to the decision of the rules, and takes nothing away. MUST be pure.
   */
  gate?(input: JsonValue): GateAnswer;
  /**
   * The root of files that it reads and changes through `context.artifacts`, which each worker
   * binds to a folder of its own, unless the tool inspects it. A worker without this root leaves
   * the run to others.
   */
  readonly artifacts?: { readonly root: string };
  /** How a person can undo its effect by hand, in words for the approvers. */
  readonly undo?: string;
  /** The compensation of its effect, in a rollback (spec/rollback.md). */
  readonly compensation?: DeclaredCompensation;
  /** Why nothing can take its effect back. */
  readonly irreversible?: string;
  /** True for a compensation: its input names the action that it takes back. */
  readonly takesBack?: true;
  /** True for the one that puts files back: a host does it, by the action's record in the log. */
  readonly restores?: true;
}
