import { emptyProjection, type RunProjection } from "@turnseal/folds";
import type { Inbox } from "@turnseal/ports";
import { isSpec } from "./draft-start.ts";

/** A run whose start is not taken in yet, as far as the start says what it will need. */
export async function readQueued(
  { inbox }: { readonly inbox: Pick<Inbox, "peek"> },
  run: string,
): Promise<RunProjection | undefined> {
  const [start] = await inbox.peek(run, "start");
  const spec = start?.body["spec"];
  return isSpec(spec) ? { ...emptyProjection(run), spec } : undefined;
}
