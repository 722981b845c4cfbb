import { createValidator, type Registry } from "@turnseal/kernel";
import type { Stores } from "@turnseal/ports";
import { isPlainObject, type JsonValue } from "@turnseal/protocol";
import { describeFirst } from "../describe-problems.ts";
import { HostError } from "../host-error.ts";
import { hasSignalRoom } from "../inbox/signal-room.ts";
import type { RunProjection } from "../projection/run-projection.ts";
import { SIGNALS_KEPT_BYTES_MAX, SIGNALS_KEPT_MAX } from "../projection/wait-state.ts";
import { readContent } from "../read-content.ts";

interface Door {
  readonly stores: Pick<Stores, "blobs">;
  /** The loops of this process: they name the signals that are for prompts. */
  readonly registry?: Registry;
}

/**
 * Throws where a run waits for signals of this name, and none of the waits takes the payload: it
 * would be recorded, and passed by. So it does where nothing waits, and the run keeps no more. A
 * run that begins turns with such signals takes any.
 */
export async function checkAwaited(
  projection: RunProjection | undefined,
  { name, payload }: { readonly name: string; readonly payload: JsonValue },
  { stores, registry }: Door,
): Promise<void> {
  const waits = (projection?.openTurn?.waits ?? []).filter((wait) => wait.name === name);
  if (projection === undefined || projection.spec?.bounds.awaits?.includes(name) === true) return;
  if (waits.length === 0) return checkRoom(projection, name, registry);
  let problems: readonly string[] = [];
  // Waits of a fan-out often ask for the same.
  const requests = new Map(waits.map(({ request }) => [request.digest, request]));
  for (const request of requests.values()) {
    const read = await readContent(stores, projection.run, request);
    const schema = isPlainObject(read) ? (read["schema"] ?? true) : true;
    problems = createValidator(schema)(payload);
    if (problems.length === 0) return;
  }
  throw new HostError(
    "SIGNAL_REFUSED",
    `the run waits for the signal ${name}, and its payload does not fit: ${describeFirst(problems)}`,
  );
}

function checkRoom(run: RunProjection, name: string, registry: Registry | undefined): void {
  if (hasSignalRoom(run, name, registry)) return;
  throw new HostError(
    "SIGNALS_FULL",
    `the run keeps at most ${SIGNALS_KEPT_MAX} signals of one name and about ` +
      `${SIGNALS_KEPT_BYTES_MAX} bytes of them until it waits for them, and has as many of ` +
      `${name}: send it again once turnseal show ${run.run} says that the run waits for it`,
    "retry",
  );
}
