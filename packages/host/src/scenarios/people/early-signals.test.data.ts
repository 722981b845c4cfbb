import { applyEvent, emptyProjection, type RunProjection } from "@turnseal/folds";
import type { JsonValue, LoopEvent } from "@turnseal/protocol";
import { collectEvents } from "../../state/load-projection.ts";
import { RUN, type SampleWorld } from "../sample-world.test.data.ts";

let sent = 0;

/** Puts a signal straight into the inbox, as somebody does who asks nobody. */
export function sendSignal(world: SampleWorld, name: string, payload: JsonValue): Promise<unknown> {
  sent += 1;
  return world.put({ key: `sent${sent}`, kind: "signal", body: { name, payload, by: "eve" } });
}

/** The whole log, while `world.events` has the first page. */
async function readAll({ stores }: SampleWorld): Promise<LoopEvent[]> {
  return collectEvents(stores.log, RUN, 1);
}

export async function readProjection(world: SampleWorld): Promise<RunProjection> {
  return (await readAll(world)).reduce(applyEvent, emptyProjection(RUN));
}

/** Why rows were refused. */
export async function listRefusals(world: SampleWorld): Promise<readonly string[]> {
  const events = await readAll(world);
  return events.flatMap((event) =>
    event.type === "signal.received" && event.content.kind === "refused" ? event.content.why : [],
  );
}
