// Runs that begin their turns by the calendar, and by what people say, over restarts of everything.
import { formatRunKey } from "@turnseal/host/restate";
import { type Clock, systemClock } from "@turnseal/ports";
import { canonicalize, type Grant } from "@turnseal/protocol";
import { verifyRun } from "@turnseal/protocol/receipts";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type DurableWorld, openDurableWorld, TENANT, type Worker } from "./durable-world.ts";
import { createPaymentLoops, type Payment } from "./payment-loops.ts";

const MINUTE = 60_000;
const paid: Payment[] = [];
const keys = new Set<string>();
const loops = createPaymentLoops((payment, { key }) => {
  if (!keys.has(key)) paid.push(payment);
  keys.add(key);
  return { paid: payment.cents };
});
const grant: Grant = { grantor: "ada", tools: ["local.pay"], budget: {} };
/** How far the workers' clock is ahead, so that nobody waits for a minute to pass. */
let aheadMs = 0;
const clock: Clock = { ...systemClock, now: () => systemClock.now() + aheadMs };
/** Puts the clock shortly before the next full minute. */
const approachMinute = (beforeMs: number): void => {
  aheadMs += MINUTE - beforeMs - (clock.now() % MINUTE);
};

describe.each([
  ["as it is", {}],
  ["replaying at every step", { inactivityMs: 0 }],
])("the durable host, %s", (_, timing) => {
  let world: DurableWorld;
  let worker: Worker;

  beforeAll(async () => {
    world = await openDurableWorld({ loops: loops.all });
    worker = await world.startWorker({ ...timing, host: { clock } });
  });
  afterAll(() => world.close());

  const turnsOf = async (run: string) => (await world.host.show(run))?.turns ?? 0;
  const untilTurns = (run: string, turns: number) =>
    world.until(async () => ((await turnsOf(run)) >= turns ? true : undefined));
  const ticksOf = async (run: string) =>
    (await world.stores.log.read(run, 1))
      .filter((event) => event.type === "signal.received")
      .filter(({ actor }) => actor.kind === "host");
  /** How the messages to a run stand that the engine has. */
  const messagesTo = async (run: string) => {
    const key = formatRunKey({ tenant: TENANT, run });
    const sql = `select status from sys_invocation where target_service_key = '${key}'`;
    const rows = await world.admin().query(`${sql} and status <> 'completed'`);
    return rows.map(({ status }) => status);
  };
  /** Waits until nothing is on its way but one message for later. */
  const untilQuiet = (run: string) =>
    world.until(async () => {
      const messages = await messagesTo(run);
      return messages.length === 1 && messages[0] === "scheduled" ? true : undefined;
    });

  async function expectSound(run: string): Promise<void> {
    const events = await world.stores.log.read(run, 1);
    const receipts = await world.stores.receipts.list(run, 1);
    const envelopes = receipts.map(({ envelope }) => canonicalize(envelope));
    const key = {
      ...{ keyId: world.signer.keyId, x: world.signer.x, issuer: "development" as const },
      validFrom: "2020-01-01T00:00:00.000Z",
    };
    const bundle = { run, events, receipts: envelopes };
    expect((await verifyRun(bundle, { keys: [key] })).findings).toEqual([]);
  }

  test("a schedule begins a turn each time, and what was missed is made up for once", async () => {
    approachMinute(8_000);
    const bounds = { schedules: [{ name: "minute", cron: "* * * * *" }], turnsMax: 100 };
    const run = await world.host.start(loops.pay, { order: "each", cents: 1 }, { grant, bounds });
    await untilTurns(run, 1);
    expect(await turnsOf(run)).toBe(1);
    await untilTurns(run, 2);
    expect(await ticksOf(run)).toHaveLength(1);
    await untilQuiet(run);
    // Looks in between add no message.
    for (let times = 0; times < 3; times++) await world.ingress.look(run);
    await untilQuiet(run);

    // Everything is away for an hour.
    await worker.cut();
    aheadMs += 60 * MINUTE;
    approachMinute(40_000);
    await world.restartEngine();
    worker = await world.startWorker({ ...timing, host: { clock } });
    await world.until(async () =>
      world.ingress.look(run).then(
        () => true,
        () => undefined,
      ),
    );
    await untilTurns(run, 3);
    const ticks = (await ticksOf(run)).map(({ content }) => content.receivedAt);
    expect(ticks).toHaveLength(2);
    const [first = "", second = ""] = ticks;
    expect(Date.parse(second) - Date.parse(first)).toBeGreaterThanOrEqual(60 * MINUTE);
    expect(await turnsOf(run)).toBe(3);
    // The row is written after the turn that it is about.
    const dueAt = async () => Date.parse((await world.stores.runs.read(run))?.dueAt ?? "");
    await expect.poll(dueAt, { timeout: 20_000 }).toBe(Date.parse(second) + MINUTE);
    await world.host.cancel(run, { key: "end", by: "ada" });
    expect(await world.stoppedOf(run)).toBe("cancelled");
    expect(paid.filter(({ order }) => order === "each")).toHaveLength(3);
    paid.length = 0;
    await expectSound(run);
  });

  test("one signal is one turn, also when they come while nobody works", async () => {
    const bounds = {
      ...{ awaits: ["payment"], turnsMax: 6 },
      nextInput: { order: "$.signals.payment.order", cents: "$.signals.payment.cents" },
    };
    const run = await world.host.start(loops.pay, { order: "s0", cents: 1 }, { grant, bounds });
    await untilTurns(run, 1);
    const say = (order: string) => {
      const signal = { name: "payment", payload: { order, cents: 1 }, key: order, by: "ada" };
      return world.host.signal(run, signal);
    };
    await say("s1");
    await untilTurns(run, 2);
    const due = (await world.host.show(run))?.awaited;
    expect(due?.count).toBe(0);
    await Promise.all(["s2", "s3", "s4"].map(say));
    await world.restartEngine();
    await world.until(async () => say("s5").catch(() => undefined));
    expect(await world.stoppedOf(run)).toBe("turns-exhausted");
    const orders = paid.filter(({ order }) => order.startsWith("s")).map(({ order }) => order);
    expect([...orders].sort()).toEqual(["s0", "s1", "s2", "s3", "s4", "s5"]);
    paid.length = 0;
    await expectSound(run);
  });
});
