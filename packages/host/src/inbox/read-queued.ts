import type { Inbox } from "@turnseal/ports";
import { emptyProjection } from "../projection/apply-event.ts";
import type { RunProjection } from "../projection/run-projection.ts";
import { isSpec } from "./draft-start.ts";

/** A run whose start nobody has taken in yet, as far as that says what it will need. */
export async function readQueued(
  { inbox }: { readonly inbox: Pick<Inbox, "peek"> },
  run: string,
): Promise<RunProjection | undefined> {
  const [start] = await inbox.peek(run, "start");
  const spec = start?.body["spec"];
  return isSpec(spec) ? { ...emptyProjection(run), spec } : undefined;
}
