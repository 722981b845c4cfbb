/**
 * Checks each compensation before it acts, for any caller. The log must say that the action was
 * done, and with this result. It must be in time, have the declared code, and happen once. Anything
 * else is refused without an effect.
 */
import type { BoundTools } from "@turnseal/kernel";
import type { ToolBinding } from "@turnseal/ports";
import { isPlainObject, type JsonValue } from "@turnseal/protocol";
import { isTakenAction, notDone, type TakenAction } from "@turnseal/protocol/authoring";
import { readRun } from "../../state/read-run.ts";
import { isSameAction, judgeEffect } from "../find/judge-effect.ts";
import { listAncestors } from "../find/list-ancestors.ts";
import { readEffectsOfTurn, type ToolEffect } from "../find/read-effects.ts";
import { createFindRestored } from "../find/restored-files.ts";
import {
  type KnownRollback,
  listCompensations,
  listRollbacks,
  nameEffect,
} from "../find/rollback-chain.ts";
import type { RollbackPorts } from "../find/rollback-ports.ts";
import { restoreFiles } from "../run/restore-files.ts";
import { findGroupProblem } from "./guard-groups.ts";

/** The same functions, with compensations that check the log before they act. */
export function guardCompensations(ports: RollbackPorts): BoundTools {
  const guarded = new WeakMap<ToolBinding, ToolBinding>();
  return {
    ...ports.tools,
    find: (implementation, version) => {
      const tool = ports.tools.find(implementation, version);
      if (tool?.takesBack !== true) return tool;
      const known = guarded.get(tool) ?? guard(tool, implementation, ports);
      guarded.set(tool, known);
      return known;
    },
  };
}

function guard(tool: ToolBinding, implementation: string, ports: RollbackPorts): ToolBinding {
  return {
    ...tool,
    run: async (input, context) => {
      const found = await findReversible(input, { implementation, key: context.key, ports });
      if (typeof found === "string") throw notDone(found);
      if (tool.restores !== true) return tool.run(input, context);
      if (found === undefined) throw notDone("only a rollback puts files back");
      const { effect, rollbacks } = found;
      const { run, end } = effect;
      const changes = end.kind === "done" ? end.artifacts : undefined;
      if (changes === undefined) throw notDone("it changed no files");
      if (changes.root !== tool.artifacts?.root) throw notDone("it changed files of another root");
      const { stores } = ports;
      const restored = await createFindRestored(rollbacks, stores)(effect, context.key);
      return restoreFiles({ run, changes, artifacts: context.artifacts, stores, restored });
    },
  };
}

interface CompensationCall {
  readonly implementation: string;
  /** Of the compensation. */
  readonly key: string;
  readonly ports: RollbackPorts;
}

interface ReversibleEffect {
  readonly effect: ToolEffect;
  /** Those of its run, and of the runs above. */
  readonly rollbacks: readonly KnownRollback[];
}

/** The action to undo, or why it is not; undefined if a group undoes it. */
async function findReversible(
  input: JsonValue,
  { implementation, key, ports }: CompensationCall,
): Promise<ReversibleEffect | string | undefined> {
  const named = isPlainObject(input) ? input["takesBack"] : undefined;
  if (named === undefined || !isTakenAction(named)) return "it names no action";
  const { stores } = ports;
  const of = await readRun(stores, named.run);
  if (of === undefined) return "there is no such run";
  // While a run goes on, only a group of its open turn undoes its own members.
  if (of.stopped === null)
    return findGroupProblem(named, { implementation, key, ports, open: of.openTurn });
  const effects = await readEffectsOfTurn(stores, of, named.turn);
  const effect = effects.find((each) => each.key === named.key);
  if (effect?.kind !== "tool") return "the run has no such action";
  const judged = await judgeEffect(effect, ports);
  if (judged.kind === "nothing") return "the action did nothing";
  if (judged.kind === "left") return `the action cannot be taken back: ${judged.left.why}`;
  if (judged.step.undo !== implementation) return "another compensation was declared for it";
  if (!isSameAction(judged.step.takesBack, named)) return "the log says otherwise of the action";
  const rollbacks: KnownRollback[] = [];
  for (const run of [named.run, ...(await listAncestors(stores, named.run))])
    rollbacks.push(...(await listRollbacks(run, stores)));
  return (await findOther(named, key, { rollbacks, stores })) ?? { effect, rollbacks };
}

/**
 * Only a rollback undoes an action: the next rollback reads its log. The compensations of any other
 * run would stay unseen, and be repeated.
 */
async function findOther(
  action: TakenAction,
  key: string,
  { rollbacks, stores }: Pick<ReversibleEffect, "rollbacks"> & Pick<RollbackPorts, "stores">,
): Promise<string | undefined> {
  let own: KnownRollback | undefined;
  for (const rollback of rollbacks)
    for (const compensation of await listCompensations([rollback], stores))
      if (compensation.key === key) own = rollback;
      else if (compensation.mayHaveActed && compensation.action === nameEffect(action))
        return "the action was taken back before";
  if (own?.head === undefined) return "only a rollback of the run takes it back";
  // People have approved that this turn stays.
  const { run, toTurn } = own.head;
  return action.run === run && action.turn <= toTurn
    ? `the rollback goes back to the end of turn ${toTurn}, and no further`
    : undefined;
}
