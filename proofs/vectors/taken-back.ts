/** A run that takes back what another one did: made by the kernel, as a rollback makes it. */
import { createLocalHost } from "@turnseal/host";
import { manualClock, memoryStores, seededIds } from "@turnseal/ports";
import type { JsonValue, RawEvent } from "@turnseal/protocol";
import { defineTool, jsonSchema } from "@turnseal/protocol/authoring";
import { DEMO_KEY } from "@turnseal/protocol/receipts";
import { createSeededSigner } from "./demo-signer.ts";
import { readRun } from "./read-run.ts";
import { type ReceiptVector, rejectVector } from "./receipt-vector.ts";
import { editEvent, type MadeRun, sealRun } from "./seal-events.ts";

const anything = jsonSchema<JsonValue>(true);

export async function makeTakingRun(turnsMax = 1): Promise<MadeRun> {
  const clock = manualClock();
  const stores = memoryStores(clock);
  const book = defineTool({
    ...{ id: "book", version: "1.0.0", effect: "idempotent", build: "1" },
    input: anything,
    output: anything,
    compensate: { effect: "idempotent", build: "1", run: () => undefined },
    run: (input) => input,
  });
  const ids = seededIds("rollbacks");
  const host = createLocalHost({
    ...{ loops: [book], stores, signer: createSeededSigner(), clock, ids },
  });
  const run = await host.start(
    book,
    { room: 12 },
    {
      ...{ key: "one", by: "alice" },
      bounds: {
        turnsMax,
        ...(turnsMax === 1 ? {} : { goal: { path: "$.output.never", equals: 1 } }),
      },
      grant: {
        ...{ grantor: "alice", tools: ["local.book"] },
        budget: { effects: turnsMax, toolCalls: turnsMax },
      },
    },
  );
  await host.advance(run);
  const answer = await host.rollback(run, { by: "alice" });
  if (answer.kind !== "proposed") throw new Error(answer.kind);
  await host.advance(answer.run);
  const [request] = await host.requests(answer.run);
  const by = { id: "bea", roles: [] };
  await host.decide(answer.run, request?.id ?? "", { choice: "approve", by });
  await host.advance(answer.run);
  return readRun(stores, answer.run);
}

/** A rollback of two turns that takes back one of them twice, or the first one first. */
export function breakTakings(run: MadeRun): ReceiptVector[] {
  const claims = run.events.flatMap(({ sequence, content: { takesBack } }: RawEvent) =>
    takesBack === undefined ? [] : [{ sequence, takesBack }],
  );
  const [second, first] = claims;
  if (second === undefined || first === undefined) throw new Error("two are taken back");
  const forge = (...taken: JsonValue[]): MadeRun => {
    let { events } = run;
    for (const [index, takesBack] of taken.entries())
      events = editEvent(events, claims[index]?.sequence ?? 0, { takesBack });
    return sealRun({ ...run, events });
  };
  const at = { sequence: first.sequence, turn: 1 };
  const keys = [DEMO_KEY];
  return [
    rejectVector(
      "taken-back-twice",
      "A rollback takes back one action twice.",
      { keys, bundle: forge(second.takesBack, second.takesBack) },
      [{ code: "EFFECT_REPEATED", ...at }],
    ),
    rejectVector(
      "taken-back-in-order",
      "A rollback takes back what was done in the first turn before what was done in the second.",
      { keys, bundle: forge(first.takesBack, second.takesBack) },
      [{ code: "TURN_ORDER", ...at }],
    ),
  ];
}
