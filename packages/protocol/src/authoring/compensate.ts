/**
 * The compensation of a tool, as its author declares it (spec/rollback.md §1).
 *
 * It is a tool of its own, called `<id>.undo`, with its own effect, its own code and its own name
 * in a grant. Every rule for tools holds for it.
 */
import type { DeclaredCompensation, TakenAction } from "../compensation.ts";
import type { Needs } from "../grant/needs.ts";
import type { Effect } from "../outcomes.ts";
import { buildOf } from "./build-of.ts";
import { type DeclaredEffect, headerFields, type Loop, type LoopHeader } from "./loop.ts";
import type { Reconcile, ToolContext } from "./tool-function.ts";

/** The context of a compensation, in addition to the result of the action. */
export interface CompensateContext<Input> extends ToolContext {
  /** The input of the action. */
  readonly input: Input;
  /** The action to take back; `key` beside it is that of the compensation itself. */
  readonly takesBack: TakenAction;
}

export interface Compensation<Input, Output> {
  /** Undoes the action that gave this result. */
  readonly run: (result: Output, context: CompensateContext<Input>) => unknown;
  /** The declared effect of a second execution; `once` if absent. */
  readonly effect?: Effect;
  /** How long after the action it can run. Absent: for ever. */
  readonly withinMs?: number;
  /** A name for the code; by default, it follows from the source of the function. */
  readonly build?: string;
  readonly reconcile?: Reconcile;
  /** Names of the secrets that it gets. */
  readonly secrets?: readonly string[];
  /** Its needs of the rollback's grant. MUST be pure. */
  readonly needs?: (input: CompensationInput<Input, Output>) => Needs;
}

/** The input of a compensation's loop: one field, so that no value can be read as a path. */
export interface CompensationInput<Input = unknown, Output = unknown> {
  readonly takesBack: TakenAction & { readonly input: Input; readonly result: Output };
}

/** The suffix of a compensation's id and function name, after those of its tool. */
export const UNDO_SUFFIX = ".undo";

interface Compensated<Input, Output> {
  readonly header: LoopHeader;
  readonly implementation: string;
  readonly compensation: Compensation<Input, Output>;
}

/** The loop of a compensation. */
export function compensationLoop<Input, Output>({
  header,
  implementation,
  compensation,
}: Compensated<Input, Output>): Loop<CompensationInput<Input, Output>, unknown> {
  const { run, effect = "once", reconcile, secrets, needs } = compensation;
  const { id, version, policy } = header;
  const text = { type: "string" };
  return {
    definition: {
      ...headerFields({
        id: `${id}${UNDO_SUFFIX}`,
        ...(version === undefined ? {} : { version }),
        ...(policy?.timeoutMs === undefined ? {} : { policy: { timeoutMs: policy.timeoutMs } }),
        description: `Takes back what ${id} did.`,
      }),
      kind: "tool",
      inputSchema: {
        type: "object",
        properties: {
          takesBack: {
            type: "object",
            properties: {
              ...{ run: text, turn: { type: "integer" }, key: text, receipt: text },
              ...{ input: true, result: true },
            },
            required: ["run", "turn", "key", "receipt", "input", "result"],
            additionalProperties: false,
          },
        },
        required: ["takesBack"],
        additionalProperties: false,
      },
      outputSchema: true,
      tool: { implementation: `${implementation}${UNDO_SUFFIX}` },
    },
    run: async ({ takesBack: { input, result, ...takesBack } }, context) =>
      (await run(result, { ...context, takesBack, input })) ?? null,
    declared: {
      effect,
      build: buildOfCompensation(compensation),
      takesBack: true,
      ...(reconcile === undefined ? {} : { reconcile }),
      ...(secrets === undefined ? {} : { secrets }),
    },
    ...(needs === undefined ? {} : { needs }),
  };
}

/**
 * The code that puts files of a root back: the runtime's own, and no author's. Its name stands in
 * the claims of tools that change files, and changes with what it does.
 */
export const FILES_BUILD = "turnseal.files-1";

/** The compensation of a tool that changes files of a root and declares none of its own. */
const restoring: Compensation<never, never> = {
  effect: "idempotent",
  build: FILES_BUILD,
  run: () => {
    throw new Error("only a host restores files");
  },
};

/** The loop that puts the files back which a tool changed, and what the tool declares of it. */
export function restoringLoop(
  header: LoopHeader,
  implementation: string,
  root: string,
): {
  readonly undo: Loop<never, unknown>;
  readonly declared: Pick<DeclaredEffect, "compensation">;
} {
  const undo = compensationLoop({ header, implementation, compensation: restoring });
  const { description: _, ...definition } = undo.definition;
  return {
    undo: {
      ...undo,
      definition: { ...definition, description: `Puts back the files that ${header.id} changed.` },
      declared: { ...undo.declared, artifacts: { root }, restores: true },
    },
    declared: declareCompensation(undo, restoring),
  };
}

/** The tool's declaration of its compensation's loop. */
export function declareCompensation(
  { definition }: Loop<never, unknown>,
  compensation: Pick<Compensation<never, never>, "build" | "effect" | "withinMs" | "run">,
): Pick<DeclaredEffect, "compensation"> {
  const { effect = "once", withinMs } = compensation;
  const declared: DeclaredCompensation = {
    ...{ loop: definition.id, version: definition.version },
    ...{ build: buildOfCompensation(compensation), effect },
    ...(withinMs === undefined ? {} : { withinMs }),
  };
  return { compensation: declared };
}

function buildOfCompensation({
  build,
  run,
}: Pick<Compensation<never, never>, "build" | "run">): string {
  return build ?? buildOf(run);
}
