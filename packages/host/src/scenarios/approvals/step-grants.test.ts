// A step with a narrower grant than its caller, through a real host.
import { manualClock, memoryStores, seededIds } from "@turnseal/ports";
import { canonicalize, type JsonValue } from "@turnseal/protocol";
import { defineComposite, defineTool, jsonSchema } from "@turnseal/protocol/authoring";
import { verifyRun } from "@turnseal/protocol/receipts";
import { describe, expect, test } from "vitest";
import { createLocalHost } from "../../local/local-host.ts";
import { signer, signingKey } from "../__fixtures__/refund-desk.ts";

const anything = jsonSchema<JsonValue>(true);
const wrote: JsonValue[] = [];

const plan = defineTool({
  ...{ id: "plan", version: "1.0.0", effect: "read", build: "test" },
  input: jsonSchema<{ readonly wanted: JsonValue }>({ type: "object" }),
  output: jsonSchema<{ readonly wanted: string[] }>({ type: "object" }),
  run: ({ wanted }) => ({ wanted: wanted as string[] }),
});
const write = defineTool({
  ...{ id: "write", version: "1.0.0", effect: "idempotent", build: "test" },
  input: anything,
  output: anything,
  run: (input) => {
    wrote.push(input);
    return "written";
  },
});
const fixed = (tools: string[]) =>
  defineComposite({
    ...{ id: "fixed", version: "1.0.0", input: anything, output: anything },
    steps: (steps) => steps.call("written", write, () => ({}), { grant: () => ({ tools }) }),
  });
const computed = defineComposite({
  ...{ id: "computed", version: "1.0.0", output: anything },
  input: jsonSchema<{ readonly wanted: string[] }>({ type: "object" }),
  steps: (steps) =>
    steps
      .call("planned", plan, ({ input }) => ({ wanted: input.wanted }))
      .call("written", write, () => ({}), {
        grant: ({ planned }) => ({ tools: planned.output.wanted }),
      }),
});

async function run(loop: Parameters<typeof createLocalHost>[0]["loops"][number], input: JsonValue) {
  wrote.length = 0;
  const clock = manualClock();
  const stores = memoryStores(clock);
  const host = createLocalHost({
    ...{ loops: [plan, write, loop], stores, signer, clock, ids: seededIds("steps") },
  });
  const grant = { grantor: "ada", tools: ["local.plan", "local.write"], budget: { effects: 3 } };
  const started = await host.start(loop as never, input as never, { grant });
  await host.drive(started);
  const events = await stores.log.read(started, 1);
  const receipts = (await stores.receipts.list(started, 1)).map(({ envelope }) =>
    canonicalize(envelope),
  );
  const verdict = await verifyRun({ run: started, events, receipts }, { keys: [signingKey] });
  expect(verdict.findings).toEqual([]);
  for await (const { replayed } of host.replay(started))
    expect(replayed).toEqual({ kind: "identical" });
  return { stopped: (await host.show(started))?.stopped, events };
}

describe("a step with a grant of its own", () => {
  test("may do what it is given, and the log has the proof", async () => {
    const { stopped, events } = await run(fixed(["local.write"]), {});
    expect(stopped).toBe("goal-reached");
    expect(wrote).toHaveLength(1);
    const child = events.find(({ type, content }) => type === "call.started" && "grant" in content);
    expect(child?.content).toMatchObject({
      loop: "write",
      grant: { grantor: "ada", tools: ["local.write"], budget: { effects: 3 } },
      proof: { result: "subset" },
    });
  });

  test("may not do what its caller may and it was not given", async () => {
    expect((await run(fixed(["local.plan"]), {})).stopped).toBe("denied");
    expect(wrote).toEqual([]);
  });

  test("is refused when it is to be given more than its caller has", async () => {
    const { stopped, events } = await run(fixed(["local.write", "local.fly"]), {});
    expect(stopped).toBe("denied");
    expect(wrote).toEqual([]);
    const errored = events.find((event) => event.type === "call.errored");
    expect(errored?.content).toMatchObject({ details: { denial: "grant-widened" } });
  });

  test("may be computed from earlier output, and is held to the same", async () => {
    expect((await run(computed, { wanted: ["local.write"] })).stopped).toBe("goal-reached");
    expect(wrote).toHaveLength(1);
    for (const wanted of [["local.write", "local.fly"], ["*"], "local.write", [], null]) {
      expect((await run(computed, { wanted } as never)).stopped).toBe("denied");
      expect(wrote).toEqual([]);
    }
  });
});
