import { listUnknown, type RunProjection, type UnknownClaim } from "@turnseal/folds";
import type { Inbox, PutAnswer } from "@turnseal/ports";
import { settleStopped } from "../hold/settle-stopped.ts";
import { HostError } from "../host-error.ts";
import type { ClientPorts } from "../host-ports.ts";
import { checkFirst } from "../messages/check-first.ts";
import { resolveMessage, type UnknownAnswer } from "../messages/inbox-messages.ts";
import { checkResolution } from "../messages/requests.ts";
import { readRun } from "../state/read-run.ts";

interface Resolving {
  readonly ports: ClientPorts;
  readonly put: Inbox["put"];
  /** True under an engine: it gets a message, and drives even a stopped run. */
  readonly isCarried: boolean;
}

/** Puts a person's answer on an unknown action, and has it taken in. */
export async function resolveAction(
  run: string,
  { key, ...answer }: UnknownAnswer & { readonly key: string },
  { ports, put, isCarried }: Resolving,
): Promise<PutAnswer> {
  const { stores } = ports;
  const { projection, claim } = findUnknown(await readRun(stores, run), key);
  checkResolution(projection, claim, answer);
  const message = resolveMessage(run, claim, answer);
  const told = await put(message);
  if (projection.stopped === null || told.kind === "refused") return told;
  if (!isCarried) await settleStopped(run, ports);
  await checkFirst(message, claim, stores);
  return told;
}

/** The claim that a person's answer is about. */
function findUnknown(
  projection: RunProjection | undefined,
  key: string,
): { readonly projection: RunProjection; readonly claim: UnknownClaim } {
  const claim = projection && listUnknown(projection).find((unknown) => unknown.key === key);
  if (projection === undefined || claim === undefined)
    throw new HostError("CLAIM_NOT_UNKNOWN", `no action of the key ${key} waits for an answer`);
  return { projection, claim };
}
