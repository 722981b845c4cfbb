/** Proposes a rollback: people decide on the whole of it, and then it is executed. */
import type { Inbox } from "@turnseal/ports";
import { cellOf, isLoopError, type LoopDef, parsePlan } from "@turnseal/protocol";
import type { ClientPorts } from "../../host-ports.ts";
import { startRun } from "../../messages/start-run.ts";
import { listRollbacks } from "../find/rollback-chain.ts";
import type { RollbackPorts } from "../find/rollback-ports.ts";
import type { RollbackList, RollbackSearch } from "../plan/list-rollback.ts";
import {
  type AskedRollback,
  prepareRollback,
  type ReadyRollback,
} from "../plan/prepare-rollback.ts";

export type RollbackAnswer =
  /** Its run was started, and waits for an approval. */
  | {
      readonly kind: "proposed";
      readonly run: string;
      readonly loop: Pick<LoopDef, "id" | "version">;
      readonly list: RollbackList;
    }
  /** There is nothing to undo. */
  | { readonly kind: "nothing"; readonly list: RollbackList }
  | Exclude<RollbackSearch, RollbackList>;

type ProposePorts = ClientPorts & Pick<Inbox, "put">;

/** Lists the actions that a rollback undoes and leaves, and starts its run. */
export async function proposeRollback(
  run: string,
  asked: AskedRollback,
  ports: ProposePorts,
): Promise<RollbackAnswer> {
  const prepared = await prepareRollback(run, asked, ports);
  if (prepared.kind === "nothing") return { kind: "nothing", list: await prepared.list() };
  return prepared.kind === "prepared" ? startRollback(await prepared.complete(), ports) : prepared;
}

/** Asks for it. */
export async function startRollback(
  { list, loop, plan, start }: ReadyRollback,
  ports: ProposePorts,
): Promise<RollbackAnswer> {
  try {
    const beginning = { input: plan, isRollback: true, start };
    const started = await startRun(loop, beginning, { ...ports, cell: cellOf(list.run) });
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

/** The rollback that was started with other options, and has not begun. */
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
