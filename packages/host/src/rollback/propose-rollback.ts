/** A rollback as a plan: people decide on the whole of it, and then it is carried out in order. */

import type { Inbox } from "@turnseal/ports";
import {
  cellOf,
  compilePlan,
  type Grant,
  invariant,
  isLoopError,
  type LoopDef,
  PLAN_TOOL,
  type PlanDocument,
  type Policy,
  parsePlan,
  QUESTION_TOOL,
} from "@turnseal/protocol";
import { type Loop, planStarter, rollbackRest } from "@turnseal/protocol/authoring";
import { HostError } from "../host-error.ts";
import type { ClientPorts } from "../host-ports.ts";
import { type StartOptions, startMessage } from "../messages/start-message.ts";
import { startRun } from "../messages/start-run.ts";
import { readRun } from "../projection/read-run.ts";
import { readContent } from "../read-content.ts";
import { registerPlan } from "../register-plan.ts";
import { rollbackKey, rollbackRun } from "../run-ids.ts";
import { grantRollback } from "./grant-rollback.ts";
import {
  listRollback,
  type RollbackList,
  type RollbackPorts,
  type RollbackSearch,
} from "./list-rollback.ts";
import { readPurses } from "./read-purses.ts";
import { listRollbacks } from "./rollback-chain.ts";

export interface RollbackOptions {
  /** The last turn that stays; 0, which is none, unless given. */
  readonly toTurn?: number;
  /** Who asks for it. */
  readonly by: string;
  /**
   * What it may do, given by whoever asks; its compensations with what the run had left, unless
   * given. What it asks people with is added.
   */
  readonly grant?: Grant;
  /** The rules that it is judged by; those of the run, unless given. */
  readonly policy?: Policy;
}

export interface AskedRollback extends Omit<RollbackOptions, "by"> {
  /** Nobody where a run is taken back that nobody has started. */
  readonly by?: string;
  /** What asks for it, where that is no person. */
  readonly source?: string;
}

export type RollbackAnswer =
  /** Its run was started, and waits until somebody decides. */
  | {
      readonly kind: "proposed";
      readonly run: string;
      readonly loop: Pick<LoopDef, "id" | "version">;
      readonly list: RollbackList;
    }
  /** There is nothing that can be taken back. */
  | { readonly kind: "nothing"; readonly list: RollbackList }
  | Exclude<RollbackSearch, RollbackList>;

type Unasked = Exclude<RollbackAnswer, { readonly kind: "proposed" }>;

/** A rollback that can be asked for, and all that it is started with. */
interface Ready {
  readonly kind: "ready";
  readonly list: RollbackList;
  readonly loop: Loop<never, unknown>;
  readonly plan: PlanDocument;
  readonly start: StartOptions;
}

/** Finds out whether a rollback would be refused, as far as whoever asks finds out. */
export async function checkRollback(
  run: string,
  asked: AskedRollback,
  ports: RollbackPorts,
): Promise<"ready" | Unasked> {
  const ready = await prepareRollback(run, asked, ports);
  if (ready.kind !== "ready") return ready;
  const { list, loop, plan, start } = ready;
  // It is made, and told nobody: what cannot be started is refused here.
  startMessage(ports.registry, loop, { run: rollbackRun(run, list.ordinal), input: plan, start });
  return "ready";
}

/** Lists what a rollback takes back and leaves, and finds what it may do. Stores nothing. */
async function prepareRollback(
  run: string,
  { toTurn = 0, by, source, grant, policy }: AskedRollback,
  ports: RollbackPorts,
): Promise<Ready | Unasked> {
  const list = await listRollback({ run, toTurn }, ports);
  if (list.kind !== "listed") return list;
  if (list.steps.length === 0) return { kind: "nothing", list };
  const undos = list.steps.map(({ undo }) => undo);
  const found = await grantOrRefuse(run, { by, grant, undos }, ports);
  if (found.kind === "refused") return found;
  const granted = found.grant;
  const plan = planRollback(list, granted.budget);
  const registered = registerPlan(ports.registry, plan);
  if (registered.kind === "refused")
    throw new HostError(
      "LOOP_REFUSED",
      registered.problems.map(({ message }) => message).join("; "),
    );
  const loop = { definition: compilePlan(plan), uses: [planStarter, rollbackRest] };
  const rules = policy ?? (await readRulesOf(run, ports));
  const start = {
    ...{ key: rollbackKey(run, list.ordinal), bounds: { turnsMax: 1 } },
    ...(by === undefined ? {} : { by }),
    ...(source === undefined ? {} : { source }),
    grant: {
      ...granted,
      tools: [...new Set([...granted.tools, PLAN_TOOL, QUESTION_TOOL])],
    },
    ...(rules === undefined ? {} : { policy: rules }),
  };
  return { kind: "ready", list, loop, plan, start };
}

/** Lists what a rollback takes back and leaves, and asks for it: the run of a plan. */
export async function proposeRollback(
  run: string,
  asked: AskedRollback,
  ports: ClientPorts & Pick<Inbox, "put">,
): Promise<RollbackAnswer> {
  const ready = await prepareRollback(run, asked, ports);
  if (ready.kind !== "ready") return ready;
  const { list, loop, plan, start } = ready;
  try {
    const beginning = { input: plan, isRollback: true, start };
    const started = await startRun(loop, beginning, { ...ports, cell: cellOf(run) });
    return { kind: "proposed", run: started, loop: loop.definition, list };
  } catch (error) {
    const told = isConflict(error) ? await findTold(list, ports) : undefined;
    if (told === undefined) throw error;
    return told;
  }
}

function isConflict(error: unknown): boolean {
  return isLoopError(error) && error.code === "RUN_CONFLICT";
}

/** The rollback that was asked for in other words, and that nobody has begun with. */
async function findTold(
  { run, toTurn, ordinal }: RollbackList,
  { stores }: Pick<RollbackPorts, "stores">,
): Promise<Exclude<RollbackSearch, RollbackList> | undefined> {
  const rollback = (await listRollbacks(run, stores))[ordinal];
  if (rollback === undefined) return undefined;
  const [row] = await stores.inbox.peek(rollback.run, "start");
  const parsed = parsePlan(row?.body["input"]);
  const head = parsed.kind === "parsed" ? parsed.plan.rollback : undefined;
  return head?.toTurn === toTurn
    ? { kind: "known", rollback: { ...rollback, head }, of: run, left: [] }
    : {
        ...{ kind: "refused", why: "rollback-open" },
        message: `rollback ${rollback.run} of ${run} has not begun`,
      };
}

interface Asked {
  readonly by: string | undefined;
  readonly grant: Grant | undefined;
  readonly undos: readonly string[];
}

/**
 * The grant that was given, which is that of whoever asks, or else what the run had left: then its
 * grantor is that of the run, since nothing is given that was not given then.
 */
async function grantOrRefuse(
  run: string,
  { by, grant, undos }: Asked,
  { stores, clock }: RollbackPorts,
): Promise<
  { readonly kind: "granted"; readonly grant: Grant } | Extract<RollbackSearch, { kind: "refused" }>
> {
  if (grant !== undefined) {
    if (grant.grantor === by) return { kind: "granted", grant };
    const message = `the grantor of a grant for a rollback is ${by ?? "a person"}, who asks for it`;
    throw new HostError("GRANT_REFUSED", message);
  }
  const found = await readPurses(run, stores, clock.now());
  if (found.kind === "unbegun")
    return {
      ...{ kind: "refused", why: "rollback-open" },
      message: `rollback ${found.rollback} of ${found.of} has not begun, and may spend the same`,
    };
  const [own, ...above] = found.purses;
  invariant(own !== undefined, "a run that acted has a grant");
  const granted = grantRollback(own, above, { undos, nowMs: clock.now() });
  if (granted.kind === "granted") return granted;
  return {
    ...{ kind: "refused", why: "grant-expired" },
    message: `the run's grant expired at ${granted.at}: a rollback needs one of its own`,
  };
}

/** The plan that takes back what was listed: a step that fails does not keep the next from it. */
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

/** The rules of the run that is taken back: who had to be asked then is asked now. */
async function readRulesOf(
  run: string,
  { stores }: Pick<RollbackPorts, "stores">,
): Promise<Policy | undefined> {
  const policy = (await readRun(stores, run))?.policy ?? null;
  if (policy === null) return undefined;
  const rules = await readContent(stores, run, policy);
  if (rules === undefined)
    throw new HostError(
      "POLICY_REFUSED",
      "the rules of the run were erased: give the rollback rules of its own",
    );
  return rules as unknown as Policy;
}
