// When a run reads the secrets of its tools, through a real host.
import {
  createMemorySigner,
  manualClock,
  memorySecrets,
  memoryStores,
  type Secrets,
  type Stores,
  seededIds,
} from "@turnseal/ports";
import type { LoopEvent, Policy } from "@turnseal/protocol";
import { defineTool, jsonSchema } from "@turnseal/protocol/authoring";
import { describe, expect, test } from "vitest";
import { createLocalHost } from "../../local/local-host.ts";

const KEY = "sk-live-0123456789";
const signer = await createMemorySigner();
const ask: Policy = { name: "ask", rules: [{ id: "ask", decision: "ask", tools: ["local.pay"] }] };

interface Setting {
  readonly secrets?: Secrets;
  readonly policy?: Policy;
}

/** A host whose stores and secrets say in which order they were used. */
function openTill({ secrets = memorySecrets({ PAY_KEY: KEY }), policy }: Setting = {}) {
  const order: string[] = [];
  const clock = manualClock();
  const stores = memoryStores(clock);
  const watched: Stores = {
    ...stores,
    log: {
      ...stores.log,
      append: async (append) => {
        const answer = await stores.log.append(append);
        order.push(...append.events.map(({ type }) => type).filter((type) => /action/.test(type)));
        return answer;
      },
    },
  };
  const pay = defineTool({
    ...{ id: "pay", version: "1.0.0", effect: "once", secrets: ["PAY_KEY"] },
    input: jsonSchema<object>({ type: "object" }),
    output: jsonSchema<unknown>(true),
    run: (_, context) => {
      order.push("act");
      return { paid: true, with: context.secrets["PAY_KEY"] ?? null };
    },
  });
  const host = createLocalHost({
    ...{ loops: [pay], stores: watched, signer, clock, ids: seededIds("till") },
    secrets: {
      read: (name) => {
        order.push(`read ${name}`);
        return secrets.read(name);
      },
    },
  });
  const grant = { grantor: "ada", tools: ["local.pay"], budget: {} };
  const start = () =>
    host.start(pay, {}, { grant, ...(policy === undefined ? {} : { policy }), key: "one" });
  const listEvents = async (run: string): Promise<LoopEvent[]> => {
    const events: LoopEvent[] = [];
    for await (const event of host.events(run)) events.push(event);
    return events;
  };
  return { host, pay, order, start, listEvents };
}

describe("the secret of a tool", () => {
  test("is read when the claim is durable, and right before the act", async () => {
    const { host, pay, order, start } = openTill();
    const run = await start();
    await host.drive(run);
    expect(order).toEqual(["action.claimed", "read PAY_KEY", "act", "action.settled"]);
    expect(await host.readOutput(pay, run)).toEqual({ paid: true, with: "[redacted]" });
  });

  test("is not read when a turn is replayed", async () => {
    const { host, order, start } = openTill();
    const run = await start();
    await host.drive(run);
    order.length = 0;
    for await (const { replayed } of host.replay(run)) expect(replayed.kind).toBe("identical");
    expect(order).toEqual([]);
  });

  test("is not read while a person is asked, and not in what they are shown", async () => {
    const { host, order, start } = openTill({ policy: ask });
    const run = await start();
    await host.drive(run);
    const [request] = await host.requests(run);
    expect(request?.name).toBe("local.pay");
    expect(JSON.stringify(request)).not.toContain(KEY);
    expect(order).toEqual([]);
    const by = { id: "ada", roles: [] };
    await host.decide(run, request?.id ?? "", { choice: "approve", by });
    await host.drive(run);
    expect(order).toEqual(["action.claimed", "read PAY_KEY", "act", "action.settled"]);
  });

  test("that is not there fails the action, and nothing acts", async () => {
    const { host, order, start, listEvents } = openTill({ secrets: memorySecrets() });
    const run = await start();
    await host.drive(run);
    expect(order).toEqual(["action.claimed", "read PAY_KEY", "action.settled"]);
    const settled = (await listEvents(run)).find((event) => event.type === "action.settled");
    expect(settled?.content).toMatchObject({ status: "failed", spent: { toolCalls: 1 } });
    expect((await host.show(run))?.lastTurn).toMatchObject({
      outcome: "failed",
      reason: "TOOL_FAILED",
    });
  });
});
