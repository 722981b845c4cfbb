// The log names the starter of a run, which rules that exclude the starter need.
import { EXCLUDED_MAX, type JsonObject, UNKNOWN_PERSON } from "@turnseal/protocol";
import { describe, expect, test } from "vitest";
import { createPayments } from "../scenarios/__fixtures__/payments.ts";
import {
  ada,
  allow,
  ask,
  bob,
  type Desk,
  openDesk,
  policyOf,
} from "../scenarios/__fixtures__/refund-desk.ts";
import { STARTER_LENGTH_MAX } from "./draft-start.ts";

const grant = { grantor: "ada", tools: ["local.pay"], budget: {} };

describe("a run", () => {
  test("is started by whom its host names, and by the host where nobody is named", async () => {
    const { host, stores, agent } = createPayments();
    const startedBy = async (by: { readonly by?: string }) => {
      const run = await host.start(agent, { order: "A" }, { grant, key: by.by ?? "", ...by });
      await host.advance(run);
      return (await stores.log.read(run, 1))[0]?.actor;
    };
    expect(await startedBy({ by: "mallory" })).toEqual({ kind: "person", id: "mallory" });
    expect(await startedBy({})).toEqual({ kind: "host", id: "host" });
  });

  test("of one key is another start when somebody else sends it", async () => {
    const { host, agent } = createPayments();
    const start = (by: string) => host.start(agent, { order: "A" }, { grant, by, key: "one" });
    expect(await start("ada")).toBe(await start("ada"));
    await expect(start("bob")).rejects.toMatchObject({ code: "RUN_CONFLICT" });
  });

  test("has a starter and a source of STARTER_LENGTH_MAX, and not of one more", async () => {
    const { host, stores, agent } = createPayments();
    const longest = "a".repeat(STARTER_LENGTH_MAX);
    const run = await host.start(agent, { order: "A" }, { grant, by: longest, source: longest });
    await host.advance(run);
    const [started] = await stores.log.read(run, 1);
    expect(started).toMatchObject({ actor: { id: longest }, content: { source: longest } });
    for (const name of [`${longest}b`, "", "a\0b", "\ud800"])
      for (const start of [{ by: name }, { source: name }])
        await expect(host.start(agent, { order: "A" }, { grant, ...start })).rejects.toMatchObject({
          code: "STARTER_REFUSED",
        });
  });

  test.each<[string, JsonObject]>([
    ["a starter", { by: 7 }],
    ["a starter without a name", { by: "" }],
    ["a source", { source: ["hook"] }],
  ])("is not started by a row with %s that is none", async (_, fields) => {
    const { host, stores, start } = createPayments();
    const [row] = await stores.inbox.peek(await start());
    const run = "11111111-2222-4333-8444-555555555555";
    await stores.inbox.put({ run, key: "start", kind: "start", body: { ...row?.body, ...fields } });
    await host.advance(run);
    expect((await stores.log.read(run, 1)).map(({ type }) => type)).toEqual(["signal.received"]);
  });
});

describe("rules that exclude whoever starts the run", () => {
  const policy = policyOf({ ...ask, exclude: ["starter", "editor"] }, allow);

  test("are refused where nobody is named who does", async () => {
    await expect(openDesk({ policy }).start()).rejects.toMatchObject({ code: "STARTER_MISSING" });
  });

  test("deny what they would ask for where a row that starts names nobody", async () => {
    const desk = openDesk({ policy, by: "mallory" });
    const [row] = await desk.stores.inbox.peek(await desk.start());
    const run = "11111111-2222-4333-8444-555555555555";
    const { by: _, ...body } = row?.body ?? {};
    await desk.stores.inbox.put({ run, key: "start", kind: "start", body });
    await desk.drive(run);
    expect(desk.made).toEqual([]);
    const events = await desk.events(run);
    expect(events.filter((event) => event.type === "approval.requested")).toEqual([]);
    expect(JSON.stringify(events)).toContain('"denial":"starter-unknown"');
  });

  test("deny what they would ask for where somebody is not named who set it going", async () => {
    const desk = openDesk({ policy, by: "mallory", bounds: { awaits: ["more"], turnsMax: 3 } });
    const run = await desk.start();
    const put = (key: string, body: JsonObject) =>
      desk.stores.inbox.put({ run, key, kind: "signal", body: { name: "more", ...body } });
    await desk.drive(run);
    const [request] = await desk.host.requests(run);
    await desk.host.decide(run, request?.id ?? "", { choice: "approve", by: bob });
    await desk.drive(run);
    expect(desk.made).toHaveLength(1);
    await put("unnamed", { payload: {} });
    await desk.drive(run);
    expect(await desk.host.requests(run)).toEqual([]);
    expect(desk.made).toHaveLength(1);
    const events = await desk.events(run);
    expect(events.findLast((event) => event.type === "turn.started")?.content).toMatchObject({
      starters: ["mallory", UNKNOWN_PERSON],
    });
    expect(JSON.stringify(events)).toContain('"denial":"starter-unknown"');
  });

  test("let EXCLUDED_MAX people have a hand in it, and not one more", async () => {
    const desk = openDesk({ policy, by: "mallory" });
    const run = await desk.start();
    await desk.drive(run);
    for (let editor = 1; editor < EXCLUDED_MAX; editor++) await edit(desk, run, editor);
    const [last] = await desk.host.requests(run);
    expect(last?.excluded).toHaveLength(EXCLUDED_MAX);
    await edit(desk, run, EXCLUDED_MAX);
    expect(JSON.stringify(await desk.events(run))).toContain('"denial":"edit-refused"');
    expect(desk.made).toEqual([]);
  });

  test("tell people at once, and hold the row that was put there all the same", async () => {
    const desk = openDesk({ policy, by: ada.id });
    const run = await desk.start();
    await desk.drive(run);
    const [request] = await desk.host.requests(run);
    const id = request?.id ?? "";
    await expect(desk.host.decide(run, id, { choice: "approve", by: ada })).rejects.toMatchObject({
      code: "PERSON_EXCLUDED",
    });
    await desk.host.decide(run, id, { choice: "approve", by: bob });
    expect(await desk.drive(run)).toBe("goal-reached");
    expect(await desk.findFaults(run)).toEqual([]);
  });
});

async function edit(desk: Desk, run: string, editor: number): Promise<void> {
  const [request] = await desk.host.requests(run);
  await desk.host.decide(run, request?.id ?? "", {
    choice: "edit",
    by: { id: `editor ${editor}`, roles: ["finance"] },
    arguments: { order: "A-1", cents: 1_200 + editor },
  });
  await desk.drive(run);
}
