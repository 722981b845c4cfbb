/** Starts a run: its files are stored once all checks have passed, and then its start is put. */
import { listIrreversible } from "@turnseal/kernel";
import type { Inbox, InboxMessage, Stores } from "@turnseal/ports";
import { copyJson, isPlanLoop, parsePlan } from "@turnseal/protocol";
import type { Loop } from "@turnseal/protocol/authoring";
import { HostError } from "../host-error.ts";
import type { ClientPorts } from "../host-ports.ts";
import { placeRun, ROLLBACK_KEY, runOfKey } from "../run-ids.ts";
import { mayBegin } from "../state/find-run.ts";
import { copyRunFiles } from "../stores/copy-run-files.ts";
import { attachFiles } from "./attach-files.ts";
import { keepFirstMessage } from "./first-message.ts";
import { RUN_INPUT_BYTES_MAX, type StartOptions, startMessage } from "./start-message.ts";

interface Beginning {
  readonly input: unknown;
  readonly start: StartOptions;
  /** True for what takes back another run. */
  readonly isRollback?: boolean;
}

/** Makes a run durable and answers with its id. */
export async function startRun(
  loop: Loop<never, unknown>,
  { input, start, isRollback = false }: Beginning,
  ports: ClientPorts & Pick<Inbox, "put">,
): Promise<string> {
  if (!isRollback && start.key?.startsWith(ROLLBACK_KEY))
    throw new HostError("RUN_CONFLICT", `a key that begins with ${ROLLBACK_KEY} is a rollback's`);
  const { stores, registry, clock, ids, cell, put } = ports;
  const run =
    start.key === undefined
      ? placeRun(ids.create(`runs/${clock.now()}`), cell)
      : runOfKey(start.key, cell);
  const toMessage = (value: unknown): InboxMessage =>
    startMessage(registry, loop, { run, input: value, start });
  // A refused start stores nothing.
  toMessage(input);
  checkReversiblePlan(loop, input, ports);
  const { value, store } = await attachFiles(input, start.files, { run, ...ports });
  const { files, forkedFrom, message } = start;
  const hasContent = [files, forkedFrom, message].some((given) => given !== undefined);
  const isFirst = hasContent && (await mayBegin(toMessage(value), stores));
  const kept = isFirst ? ports : { ...ports, stores: withoutPuts(stores) };
  const own = await copyForked(value, { run, start, ports: kept });
  if (isFirst) await store();
  if (isFirst && message !== undefined) await keepFirstMessage(run, message, ports);
  const answer = await put(toMessage(own));
  if (answer.kind === "refused")
    throw new HostError(
      "RUN_CONFLICT",
      "its key has already started a run, with other input or by another starter",
    );
  return run;
}

/** A plan that must be reversible is checked before people are asked. */
function checkReversiblePlan(
  { definition: { id, version } }: Loop<never, unknown>,
  input: unknown,
  { registry, tools }: ClientPorts,
): void {
  const parsed = isPlanLoop(id) ? parsePlan(input) : undefined;
  const loop = registry.resolve(id, version);
  if (parsed?.kind !== "parsed" || parsed.plan.reversible !== true || loop === undefined) return;
  const [final] = listIrreversible(loop, registry.resolve, tools.find);
  if (final === undefined) return;
  throw new HostError("LOOP_REFUSED", `the plan is refused: ${final.message}; ${final.mend}`);
}

/** A repeated start has stored its files already; any other start under its key is refused. */
function withoutPuts(stores: Stores): Stores {
  return { ...stores, blobs: { ...stores.blobs, put: async () => {} } };
}

interface Forking {
  readonly run: string;
  readonly start: StartOptions;
  readonly ports: ClientPorts;
}

/** A run that is forked from another has files of its own. */
async function copyForked(input: unknown, { run, start, ports }: Forking): Promise<unknown> {
  if (start.forkedFrom === undefined) return input;
  const copied = copyJson(input, RUN_INPUT_BYTES_MAX);
  if (copied.kind === "refused") return input;
  return copyRunFiles(copied.value, { from: start.forkedFrom.run, to: run }, ports);
}
