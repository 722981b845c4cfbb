// Durable runs on a real engine and a real database.
import { scriptedModel } from "@turnseal/ports";
import { canonicalize, type Grant, isClaimOf, type Policy } from "@turnseal/protocol";
import { verifyTree } from "@turnseal/protocol/receipts";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type DurableWorld, openDurableWorld, type Worker } from "./durable-world.ts";
import { createPaymentLoops, type Payment } from "./payment-loops.ts";

const paid: Payment[] = [];
const keys = new Set<string>();
const loops = createPaymentLoops((payment, { key }) => {
  // The tool honours its key, as an idempotent one must.
  if (!keys.has(key)) paid.push(payment);
  keys.add(key);
  return { paid: payment.cents };
});
const grant: Grant = {
  grantor: "ada",
  tools: ["local.pay"],
  handoffs: ["pay"],
  budget: { effects: 3 },
};
const policy: Policy = {
  name: "payments",
  rules: [
    { id: "large", decision: "ask", tools: ["local.pay"], when: "args.cents > 1000" },
    { id: "rest", decision: "allow" },
  ],
};
const ada = { id: "ada", roles: [] };
let orders = 0;
const order = (cents: number): Payment => {
  orders += 1;
  return { order: `A-${orders}`, cents };
};

describe.each([
  ["as it is", {}],
  ["replaying at every step", { inactivityMs: 0 }],
])("the durable host, %s", (_, timing) => {
  let world: DurableWorld;
  let worker: Worker;

  beforeAll(async () => {
    world = await openDurableWorld({ loops: loops.all, models: { scripted: scriptedModel() } });
    worker = await world.startWorker(timing);
  });
  afterAll(() => world.close());

  const paidFor = ({ order: wanted }: Payment) => paid.filter(({ order: each }) => each === wanted);
  const start = (payment: Payment, more: Partial<Parameters<typeof world.host.start>[2]> = {}) =>
    world.host.start(loops.pay, payment, { grant, policy, ...more });
  const requestOf = (run: string) => world.until(async () => (await world.host.requests(run))[0]);

  async function expectSound(...runs: readonly string[]): Promise<void> {
    const bundles = [];
    for (const run of runs) {
      const events = await world.stores.log.read(run, 1);
      const stored = await world.stores.receipts.list(run, 1);
      bundles.push({ run, events, receipts: stored.map(({ envelope }) => canonicalize(envelope)) });
    }
    const key = {
      ...{ keyId: world.signer.keyId, x: world.signer.x, issuer: "development" as const },
      validFrom: "2020-01-01T00:00:00.000Z",
    };
    const verdict = await verifyTree(bundles, { keys: [key] });
    expect([...verdict.runs.flatMap(({ findings }) => findings), ...verdict.set.findings]).toEqual(
      [],
    );
  }

  test("a run is started, pays once and is sealed", async () => {
    const payment = order(5);
    const run = await start(payment);
    expect(await world.stoppedOf(run)).toBe("goal-reached");
    expect(paidFor(payment)).toHaveLength(1);
    await expectSound(run);
  });

  test("the same message again, and messages that mean nothing, change nothing", async () => {
    const payment = order(5);
    const run = await start(payment, { key: payment.order });
    expect(await start(payment, { key: payment.order })).toBe(run);
    expect(await world.stoppedOf(run)).toBe("goal-reached");
    const before = (await world.stores.log.read(run, 1)).length;
    for (let times = 0; times < 5; times++) await world.ingress.look(run);
    await start(payment, { key: payment.order });
    await expect(start(order(6), { key: payment.order })).rejects.toMatchObject({
      code: "RUN_CONFLICT",
    });
    expect(await world.stores.log.read(run, 1)).toHaveLength(before);
    expect(paidFor(payment)).toHaveLength(1);
  });

  test("a run waits for a person while nobody holds it, also over a crash", async () => {
    const payment = order(5_000);
    const run = await start(payment);
    const { id } = await requestOf(run);
    const lists = await world.stores.lists.listWaiting({});
    expect(lists.some((entry) => entry.id === id)).toBe(true);
    await world.restartEngine();
    await world.until(async () =>
      world.host.decide(run, id, { choice: "approve", by: ada }).catch(() => undefined),
    );
    expect(await world.stoppedOf(run)).toBe("goal-reached");
    expect(paidFor(payment)).toHaveLength(1);
    await expectSound(run);
  });

  test("an approval that nobody gives expires by itself", async () => {
    const payment = order(5_000);
    const [large, rest] = policy.rules;
    const hasty = { ...large, decideWithinMs: 700 } as Policy["rules"][number];
    const run = await start(payment, {
      policy: { name: "hasty", rules: [hasty, rest as typeof hasty] },
    });
    expect(await world.stoppedOf(run)).toBe("approval-expired");
    expect(paidFor(payment)).toEqual([]);
    await expectSound(run);
  });

  test("a handoff is another run, with its own log and receipts", async () => {
    const payment = order(7);
    const run = await world.host.start(loops.delegate, payment, { grant, policy });
    expect(await world.stoppedOf(run)).toBe("goal-reached");
    const events = await world.stores.log.read(run, 1);
    const child = events.find((event) => isClaimOf("handoff", event))?.content.child ?? "";
    expect(paidFor(payment)).toHaveLength(1);
    await expectSound(run, child);
  });

  test("the run that a loser handed to is cancelled, and leaves the inboxes", async () => {
    const payment = order(7);
    const run = await world.host.start(loops.race, payment, { grant, policy });
    expect(await world.stoppedOf(run)).toBe("goal-reached");
    const events = await world.stores.log.read(run, 1);
    const children = events.flatMap((event) =>
      isClaimOf("handoff", event) ? [event.content.child] : [],
    );
    expect(children).toHaveLength(2);
    const ends = await Promise.all(children.map((child) => world.stoppedOf(child)));
    expect(ends).toEqual(["cancelled", "goal-reached"]);
    for (const child of children) expect(await world.host.requests(child)).toEqual([]);
    expect(paidFor(payment)).toEqual([payment]);
    await expectSound(run, ...children);
  });

  test("a cancel ends a run that waits", async () => {
    const payment = order(5_000);
    const run = await start(payment);
    await requestOf(run);
    await world.host.cancel(run, { key: "stop", by: "ada" });
    expect(await world.stoppedOf(run)).toBe("cancelled");
    expect(paidFor(payment)).toEqual([]);
  });

  test("another worker goes on when one is gone", async () => {
    await worker.cut();
    const payment = order(8);
    const run = await start(payment).catch(() => undefined);
    worker = await world.startWorker(timing);
    const started = run ?? (await world.until(async () => start(payment).catch(() => undefined)));
    expect(await world.stoppedOf(started)).toBe("goal-reached");
    expect(paidFor(payment)).toHaveLength(1);
  });

  test("nobody outside advances a run, and no other tenant tells it anything", async () => {
    const { ingress } = world.engine();
    const run = await start(order(5));
    const advance = await fetch(`${ingress}/Run/e2e%3A${run}/advance`, { method: "POST" });
    expect(advance.status).toBeGreaterThanOrEqual(400);
    const body = JSON.stringify({ key: "cancel:x", kind: "cancel", body: { by: "eve" } });
    const headers = { "content-type": "application/json" };
    const other = `${ingress}/Run/other%3A${run}/deliver`;
    expect((await fetch(other, { method: "POST", headers, body })).status).toBe(404);
    const forged = JSON.stringify({ key: "result:x", kind: "result", body: {} });
    const own = `${ingress}/Run/e2e%3A${run}/deliver`;
    expect((await fetch(own, { method: "POST", headers, body: forged })).status).toBe(400);
  });

  test("the engine was told what the design wants", async () => {
    const response = await fetch(`${world.engine().admin}/services/Run`);
    const service = (await response.json()) as Record<string, unknown> & {
      readonly handlers: readonly Record<string, unknown>[];
    };
    const handlers = Object.fromEntries(service.handlers.map((each) => [each["name"], each]));
    expect(handlers["advance"]).toMatchObject({ ty: "Exclusive", public: false });
    expect(handlers["deliver"]).toMatchObject({ ty: "Shared", public: true });
    expect(service["retry_policy"]).toMatchObject({
      max_interval: "5s",
      max_attempts: 2 ** 31 - 1,
    });
    expect(service["journal_retention"]).toBe("0s");
  });
});
