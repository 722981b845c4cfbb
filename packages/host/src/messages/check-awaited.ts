import { createValidator } from "@turnseal/kernel";
import type { Stores } from "@turnseal/ports";
import { isPlainObject, type JsonValue } from "@turnseal/protocol";
import { describeFirst } from "../describe-problems.ts";
import { HostError } from "../host-error.ts";
import type { RunProjection } from "../projection/run-projection.ts";
import { readContent } from "../read-content.ts";

/**
 * Throws where a run waits for signals of this name, and none of the waits takes the payload: it
 * would be recorded, and passed by. A run that begins turns with such signals takes any.
 */
export async function checkAwaited(
  projection: RunProjection | undefined,
  { name, payload }: { readonly name: string; readonly payload: JsonValue },
  stores: Pick<Stores, "blobs">,
): Promise<void> {
  const waits = (projection?.openTurn?.waits ?? []).filter((wait) => wait.name === name);
  if (projection === undefined || projection.spec?.bounds.awaits?.includes(name) === true) return;
  let problems: readonly string[] = [];
  for (const { request } of waits) {
    const read = await readContent(stores, projection.run, request);
    const schema = isPlainObject(read) ? (read["schema"] ?? true) : true;
    problems = createValidator(schema)(payload);
    if (problems.length === 0) return;
  }
  if (problems.length === 0) return;
  throw new HostError(
    "SIGNAL_REFUSED",
    `the run waits for the signal ${name}, and its payload does not fit: ${describeFirst(problems)}`,
  );
}
