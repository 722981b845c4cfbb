/** A run that takes back what another one did: made by the kernel, as a rollback makes it. */
import { createLocalHost } from "@turnseal/host";
import { manualClock, memoryStores, seededIds } from "@turnseal/ports";
import type { JsonValue } from "@turnseal/protocol";
import { defineTool, jsonSchema } from "@turnseal/protocol/authoring";
import { createSeededSigner } from "./demo-signer.ts";
import { readRun } from "./read-run.ts";
import type { MadeRun } from "./seal-events.ts";

const anything = jsonSchema<JsonValue>(true);

export async function makeTakingRun(): Promise<MadeRun> {
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
      ...{ key: "one", by: "alice", bounds: { turnsMax: 1 } },
      grant: { grantor: "alice", tools: ["local.book"], budget: { effects: 1, toolCalls: 1 } },
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
