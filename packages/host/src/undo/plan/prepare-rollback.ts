/**
 * A rollback as a plan, before its start: the actions that it undoes, its grant and its policy.
 * Expensive checks come last.
 */

import type { RunProjection } from "@turnseal/folds";
import {
  compilePlan,
  type Grant,
  invariant,
  PLAN_TOOL,
  type PlanDocument,
  type Policy,
  QUESTION_TOOL,
} from "@turnseal/protocol";
import { type Loop, planStarter, rollbackRest } from "@turnseal/protocol/authoring";
import { HostError } from "../../host-error.ts";
import type { StartOptions } from "../../messages/start-message.ts";
import { rollbackKey } from "../../run-ids.ts";
import { readContent } from "../../state/read-content.ts";
import { registerPlan } from "../../state/register-plan.ts";
import { createReadEffects, type ReadEffects } from "../find/read-effects.ts";
import type { RollbackPorts } from "../find/rollback-ports.ts";
import { grantRollback, isExpired } from "./grant-rollback.ts";
import {
  type FoundSteps,
  findSteps,
  type RollbackList,
  type RollbackSearch,
} from "./list-rollback.ts";
import { readRemainingBudgets } from "./read-remaining-budgets.ts";

export interface RollbackOptions {
  /** The last turn that stays; 0, which is none, by default. */
  readonly toTurn?: number;
  /** The person who asks for it. */
  readonly by: string;
  /**
   * Its grant, from the person who asks; without one, its compensations with the remaining budget
   * of the run. The tools that ask people are added.
   */
  readonly grant?: Grant;
  /** The rules for its actions; those of the run by default. */
  readonly policy?: Policy;
}

export interface AskedRollback extends Omit<RollbackOptions, "by"> {
  /** Absent for a rollback of a run without a starter. */
  readonly by?: string;
  /** The source of the request, if no person asks. */
  readonly source?: string;
}

/** A prepared rollback, and all options of its start. */
export interface ReadyRollback {
  readonly list: RollbackList;
  readonly loop: Loop<never, unknown>;
  readonly plan: PlanDocument;
  readonly start: StartOptions;
}

export type PreparedRollback =
  | (Pick<FoundSteps, "lacks"> & {
      readonly kind: "prepared";
      /** Finds later changes, and makes the plan. */
      readonly complete: () => Promise<ReadyRollback>;
    })
  /** There is nothing to undo here. */
  | (Pick<FoundSteps, "lacks"> & {
      readonly kind: "nothing";
      readonly list: () => Promise<RollbackList>;
    })
  | Exclude<RollbackSearch, RollbackList>;

/** Finds the actions that a rollback undoes, and its grant. Stores nothing. */
export async function prepareRollback(
  run: string,
  asked: AskedRollback,
  ports: RollbackPorts,
): Promise<PreparedRollback> {
  const { toTurn = 0, by, grant, policy } = asked;
  const read = createReadEffects(ports.stores);
  const steps = await findSteps({ run, toTurn }, ports, read);
  if (steps.kind !== "found") return steps;
  const { lacks } = steps;
  if (steps.steps.length === 0) return { kind: "nothing", lacks, list: steps.complete };
  const undos = steps.steps.map(({ undo }) => undo);
  const found = await grantOrRefuse(steps.projection, { by, grant, undos, read }, ports);
  if (found.kind === "refused") return found;
  const granted = found.grant;
  const complete = async (): Promise<ReadyRollback> => {
    const rules = policy ?? (await readRulesOf(steps.projection, ports));
    const list = await steps.complete();
    const head = grant === undefined ? list : { ...list, granted: true as const };
    const plan = planRollback(head, granted.budget);
    const loop = compileRollback(plan, ports);
    return { list, loop, plan, start: startOf(list, asked, { granted, rules }) };
  };
  return { kind: "prepared", lacks, complete };
}

function compileRollback(
  plan: PlanDocument,
  { registry }: Pick<RollbackPorts, "registry">,
): ReadyRollback["loop"] {
  const registered = registerPlan(registry, plan);
  if (registered.kind === "refused")
    throw new HostError(
      "LOOP_REFUSED",
      registered.problems.map(({ message }) => message).join("; "),
    );
  return { definition: compilePlan(plan), uses: [planStarter, rollbackRest] };
}

interface Allowed {
  readonly granted: Grant;
  readonly rules: Policy | undefined;
}

function startOf(
  { run, ordinal }: RollbackList,
  { by, source }: AskedRollback,
  { granted, rules }: Allowed,
): StartOptions {
  return {
    ...{ key: rollbackKey(run, ordinal), bounds: { turnsMax: 1 } },
    ...(by === undefined ? {} : { by }),
    ...(source === undefined ? {} : { source }),
    grant: {
      ...granted,
      tools: [...new Set([...granted.tools, PLAN_TOOL, QUESTION_TOOL])],
    },
    ...(rules === undefined ? {} : { policy: rules }),
  };
}

interface Asked {
  readonly by: string | undefined;
  readonly grant: Grant | undefined;
  readonly undos: readonly string[];
  readonly read: ReadEffects;
}

type Refused = Extract<RollbackSearch, { kind: "refused" }>;

/**
 * Returns the given grant, whose grantor has to be the person who asks. Without one, the grant is
 * the remainder of the run's, with the same grantor, since it gives nothing new.
 */
async function grantOrRefuse(
  projection: RunProjection,
  { by, grant, undos, read }: Asked,
  { stores, clock }: RollbackPorts,
): Promise<{ readonly kind: "granted"; readonly grant: Grant } | Refused> {
  if (grant !== undefined) {
    if (grant.grantor === by) return { kind: "granted", grant };
    const message = `the grantor of a grant for a rollback is ${by ?? "a person"}, who asks for it`;
    throw new HostError("GRANT_REFUSED", message);
  }
  const nowMs = clock.now();
  const late = refuseExpiredGrant(projection, nowMs);
  if (late !== undefined) return late;
  const found = await readRemainingBudgets(projection.run, { stores, read }, { nowMs });
  if (found.kind === "unbegun")
    return {
      ...{ kind: "refused", why: "rollback-open" },
      message: `rollback ${found.rollback} of ${found.of} has not begun, and may spend the same`,
    };
  const [own, ...above] = found.budgets;
  invariant(own !== undefined, "a run that acted has a grant");
  return { kind: "granted", grant: grantRollback(own, above, { undos, nowMs }) };
}

/** The refusal of a rollback without a grant of its own, where that of the run is over. */
export function refuseExpiredGrant(
  run: RunProjection | undefined,
  nowMs: number,
): Refused | undefined {
  const grant = run?.spec?.grant;
  if (grant === undefined || !isExpired(grant, nowMs)) return undefined;
  return {
    ...{ kind: "refused", why: "grant-expired" },
    message: `the run's grant expired at ${grant.expiresAt}: a rollback needs one of its own`,
  };
}

/** The plan that undoes the listed actions. After a step that fails, the next one still runs. */
function planRollback(
  { kind: _, checkpoint: __, steps, ...head }: RollbackList,
  budget: Grant["budget"],
): PlanDocument {
  const { run, toTurn } = head;
  return {
    title: toTurn === 0 ? `Take back run ${run}` : `Take back run ${run} to turn ${toTurn}`,
    steps: steps.map(({ takesBack, tool, loop, version, doneAt, until }, index) => ({
      id: `undo${index + 1}`,
      description: [
        `${tool} in turn ${takesBack.turn}, done ${doneAt}`,
        ...(until === undefined ? [] : [`can be taken back until ${until}`]),
      ].join(", "),
      ...{ loop, version, critical: false },
      input: { takesBack },
    })),
    worst: { ...budget },
    rollback: head,
  };
}

/** The rules of the run: the same people must approve as then. */
async function readRulesOf(
  { run, policy }: RunProjection,
  { stores }: Pick<RollbackPorts, "stores">,
): Promise<Policy | undefined> {
  if (policy === null) return undefined;
  const rules = await readContent(stores, run, policy);
  if (rules === undefined)
    throw new HostError(
      "POLICY_REFUSED",
      "the rules of the run were erased: give the rollback rules of its own",
    );
  return rules as unknown as Policy;
}
