/**
 * What stands between a compensation and its act, whoever calls it: it takes back an action that
 * the log says was done, with what the log says it gave, in time, by the code that was declared,
 * and once. Everything else is refused, and did nothing.
 */
import type { BoundTools } from "@turnseal/kernel";
import type { ToolBinding } from "@turnseal/ports";
import { isPlainObject, type JsonValue } from "@turnseal/protocol";
import { isTakenAction, notDone, type TakenAction } from "@turnseal/protocol/authoring";
import { readRun } from "../projection/read-run.ts";
import { findGroupProblem } from "./guard-groups.ts";
import { isSameAction, judgeDeed } from "./judge-deed.ts";
import { listAncestors } from "./list-ancestors.ts";
import { createFindPutBack } from "./put-back.ts";
import { readDeedsOfTurn, type ToolDeed } from "./read-deeds.ts";
import { restoreFiles } from "./restore-files.ts";
import { type KnownRollback, listRollbacks, listTakings, nameAction } from "./rollback-chain.ts";
import type { RollbackPorts } from "./rollback-ports.ts";

/** The same functions, with compensations that look at what they take back first. */
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
      const looked = await lookAt(input, { implementation, key: context.key, ports });
      if (typeof looked === "string") throw notDone(looked);
      if (tool.restores !== true) return tool.run(input, context);
      if (looked === undefined) throw notDone("only a rollback puts files back");
      const { deed, rollbacks } = looked;
      const { run, end } = deed;
      const changes = end.kind === "done" ? end.artifacts : undefined;
      if (changes === undefined) throw notDone("it changed no files");
      if (changes.root !== tool.artifacts?.root) throw notDone("it changed files of another root");
      const { stores } = ports;
      const putBack = await createFindPutBack(rollbacks, stores)(deed, context.key);
      return restoreFiles({ run, changes, artifacts: context.artifacts, stores, putBack });
    },
  };
}

interface Looking {
  readonly implementation: string;
  /** Of the compensation. */
  readonly key: string;
  readonly ports: RollbackPorts;
}

interface Looked {
  readonly deed: ToolDeed;
  /** Those of its run, and of the runs above. */
  readonly rollbacks: readonly KnownRollback[];
}

/** The action that is taken back, or why it is not; nothing where a group takes it back. */
async function lookAt(
  input: JsonValue,
  { implementation, key, ports }: Looking,
): Promise<Looked | string | undefined> {
  const named = isPlainObject(input) ? input["takesBack"] : undefined;
  if (named === undefined || !isTakenAction(named)) return "it names no action";
  const { stores } = ports;
  const of = await readRun(stores, named.run);
  if (of === undefined) return "there is no such run";
  // While a run goes on, only a group of its open turn takes its own members back.
  if (of.stopped === null)
    return findGroupProblem(named, { implementation, key, ports, open: of.openTurn });
  const deeds = await readDeedsOfTurn(stores, of, named.turn);
  const deed = deeds.find((each) => each.key === named.key);
  if (deed?.kind !== "tool") return "the run has no such action";
  const judged = await judgeDeed(deed, ports);
  if (judged.kind === "nothing") return "the action did nothing";
  if (judged.kind === "left") return `the action cannot be taken back: ${judged.left.why}`;
  if (judged.step.undo !== implementation) return "another compensation was declared for it";
  if (!isSameAction(judged.step.takesBack, named)) return "the log says otherwise of the action";
  const rollbacks: KnownRollback[] = [];
  for (const run of [named.run, ...(await listAncestors(stores, named.run))])
    rollbacks.push(...(await listRollbacks(run, stores)));
  return (await findOther(named, key, { rollbacks, stores })) ?? { deed, rollbacks };
}

/**
 * Only a rollback takes an action back: its log is where the next one looks for what was taken
 * back. What any other run did would be seen by nobody, and be done again.
 */
async function findOther(
  action: TakenAction,
  key: string,
  { rollbacks, stores }: Pick<Looked, "rollbacks"> & Pick<RollbackPorts, "stores">,
): Promise<string | undefined> {
  let own: KnownRollback | undefined;
  for (const rollback of rollbacks)
    for (const taking of await listTakings([rollback], stores))
      if (taking.key === key) own = rollback;
      else if (taking.mayHaveActed && taking.action === nameAction(action))
        return "the action was taken back before";
  if (own?.head === undefined) return "only a rollback of the run takes it back";
  // People have approved that this turn stays.
  const { run, toTurn } = own.head;
  return action.run === run && action.turn <= toTurn
    ? `the rollback goes back to the end of turn ${toTurn}, and no further`
    : undefined;
}
