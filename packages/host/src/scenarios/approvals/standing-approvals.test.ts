// Approvals that stand: given by a person, drawn by claims, revoked, and read by a verifier.
import { isClaimOf, type Policy } from "@turnseal/protocol";
import { expect, test } from "vitest";
import type { DecisionToSend } from "../../messages/inbox-messages.ts";
import {
  ada,
  allow,
  ask,
  bob,
  type Desk,
  type DeskOptions,
  openDesk,
  policyOf,
  type Refund,
} from "../__fixtures__/refund-desk.ts";

const mayStand = { uses: 3, withinMs: 60_000 };
const standing = { uses: 2, withinMs: 60_000 };
const pattern = { order: { glob: "A-*" }, cents: { atMost: 2_000 } };
const stands: DecisionToSend = { choice: "approve", by: ada, standing, pattern };
const messages = { awaits: ["message"] };

const refunds = (...orders: string[]): Refund[] => orders.map((order) => ({ order, cents: 1_200 }));

const rules = (fields: Partial<Policy["rules"][number]> = {}): Policy =>
  policyOf({ ...ask, mayStand, ...fields }, allow);

interface Stood {
  readonly desk: Desk;
  readonly run: string;
}

/** A run whose first refund waits for a person, and is approved so. */
async function stand(options: DeskOptions = {}, decision = stands): Promise<Stood> {
  const desk = openDesk({ asks: refunds("A-1"), policy: rules(), bounds: messages, ...options });
  const run = await desk.start();
  expect(await desk.drive(run)).toBe("wait");
  const [request] = await desk.host.requests(run);
  await desk.host.decide(run, request?.id ?? "", decision);
  return { desk, run };
}

/** The next turn, in which the model asks for the same again. */
async function turn({ desk, run }: Stood, key = `m${desk.made.length}`): Promise<string> {
  await desk.host.signal(run, { name: "message", payload: null, by: "ada", key });
  return desk.drive(run);
}

async function drawn({ desk, run }: Stood): Promise<unknown[]> {
  const claims = (await desk.events(run)).filter((event) => isClaimOf("tool", event));
  return claims.map(({ content }) => ("drawn" in content ? content.drawn : undefined));
}

const isOpen = async ({ desk, run }: Stood): Promise<boolean> =>
  (await desk.host.requests(run)).length > 0;

async function expectSound({ desk, run }: Stood): Promise<void> {
  expect(await desk.findFaults(run)).toEqual([]);
  expect(new Set(await desk.replay(run))).toEqual(new Set(["identical"]));
}

test("covers the next actions, each drawn by its claim, until it is used up", async () => {
  const stood = await stand();
  const { desk, run } = stood;
  await desk.drive(run);
  expect(await desk.host.standing(run)).toMatchObject([
    { tool: "local.refund", by: "ada", usesLeft: 2, given: standing, pattern },
  ]);
  await turn(stood);
  await turn(stood);
  const decided = (await desk.events(run)).find(({ type }) => type === "approval.decided");
  const decision = decided?.sequence;
  expect(await drawn(stood)).toEqual([
    undefined,
    { decision, usesLeft: 1 },
    { decision, usesLeft: 0 },
  ]);
  expect(await desk.host.standing(run)).toEqual([]);
  expect(await isOpen(stood)).toBe(false);
  await turn(stood);
  expect(await isOpen(stood)).toBe(true);
  expect(desk.made).toHaveLength(3);
  expect(JSON.stringify(await desk.events(run))).not.toContain("A-*");
  await expectSound(stood);
});

test("does not cover arguments that its pattern does not fit", async () => {
  const stood = await stand({ asks: refunds("A-1", "B-1") }, stands);
  const { desk, run } = stood;
  await desk.drive(run);
  const [left] = await desk.host.requests(run);
  expect(left).toMatchObject({ request: { order: "B-1" } });
  await desk.host.decide(run, left?.id ?? "", { choice: "approve", by: bob });
  await desk.drive(run);
  await turn(stood);
  // A-1 is covered, B-1 is asked for.
  expect(desk.made.map(({ order }) => order)).toEqual(["A-1", "B-1", "A-1"]);
  expect((await desk.host.requests(run)).map(({ request }) => request)).toEqual([
    { order: "B-1", cents: 1_200 },
  ]);
  await expectSound(stood);
});

test("gives its last use to one of two that stand beside each other", async () => {
  const stood = await stand(
    { asks: refunds("A-1", "A-2") },
    {
      ...stands,
      standing: { ...standing, uses: 1 },
    },
  );
  const { desk, run } = stood;
  const [, second] = await desk.host.requests(run);
  await desk.host.decide(run, second?.id ?? "", { choice: "approve", by: bob });
  await desk.drive(run);
  expect(desk.made).toHaveLength(2);
  await turn(stood);
  expect(desk.made).toHaveLength(3);
  expect(await desk.host.requests(run)).toMatchObject([{ request: { order: "A-2" } }]);
  await expectSound(stood);
});

test("ends with its time, of which the last millisecond counts", async () => {
  for (const [passMs, made] of [
    [60_000, 2],
    [60_001, 1],
  ] as const) {
    const stood = await stand();
    await stood.desk.drive(stood.run);
    stood.desk.clock.advance(passMs);
    await turn(stood);
    expect(stood.desk.made).toHaveLength(made);
    await expectSound(stood);
  }
});

test("covers nothing after it was revoked", async () => {
  const stood = await stand();
  const { desk, run } = stood;
  await desk.drive(run);
  const [one] = await desk.host.standing(run);
  await desk.host.revoke(run, one?.id ?? "", bob);
  await turn(stood);
  expect(desk.made).toHaveLength(1);
  expect(await isOpen(stood)).toBe(true);
  await expect(desk.host.revoke(run, one?.id ?? "", bob)).rejects.toMatchObject({
    code: "REQUEST_UNKNOWN",
  });
  await expectSound(stood);
});

test("is revoked while an action of the turn is in flight", async () => {
  let after = (): Promise<void> => Promise.resolve();
  const stood = await stand({
    asks: refunds("A-1", "A-2"),
    act: async ({ order }) => {
      if (order === "A-1") await after();
      return order;
    },
  });
  const { desk, run } = stood;
  const [, second] = await desk.host.requests(run);
  await desk.host.decide(run, second?.id ?? "", { choice: "approve", by: bob });
  await desk.drive(run);
  after = async () => {
    const [one] = await desk.host.standing(run);
    await desk.host.revoke(run, one?.id ?? "", bob);
    // The worker looks for messages while the tool acts.
    for (let look = 0; look < 20; look++) {
      desk.clock.advance(100);
      await new Promise((resolve) => setImmediate(resolve));
    }
  };
  await turn(stood);
  expect(desk.made.map(({ order }) => order)).toEqual(["A-1", "A-2", "A-1"]);
  expect(await desk.host.requests(run)).toMatchObject([{ request: { order: "A-2" } }]);
  await expectSound(stood);
});

test.each([
  ["without mayStand in the rule", { policy: policyOf(ask, allow) }, {}],
  ["for more uses", {}, { standing: { ...standing, uses: 4 } }],
  ["for longer", {}, { standing: { ...standing, withinMs: 60_001 } }],
  ["for no use", {}, { standing: { ...standing, uses: 0 } }],
  ["with a pattern that is none", {}, { pattern: { order: { like: "A" } } }],
  ["with a pattern for other arguments", {}, { pattern: { ...pattern, order: { equals: "B" } } }],
  ["with a pattern that leaves a field out", {}, { pattern: { order: { any: true } } }],
  ["by a rejection", {}, { choice: "reject" }],
])("is refused %s, and the request goes on waiting", async (_, options, fields) => {
  const desk = openDesk({ asks: refunds("A-1"), policy: rules(), ...options });
  const run = await desk.start();
  await desk.drive(run);
  const [request] = await desk.host.requests(run);
  const decided = desk.host.decide(run, request?.id ?? "", { ...stands, ...fields } as never);
  await expect(decided).rejects.toMatchObject({ code: "ANSWER_REFUSED" });
  expect(await desk.host.requests(run)).toHaveLength(1);
});

test("is refused by the log where a row does not ask the host", async () => {
  const desk = openDesk({ asks: refunds("A-1"), policy: rules() });
  const run = await desk.start();
  await desk.drive(run);
  const [request] = await desk.host.requests(run);
  const by = { id: "ada", roles: ["finance"] };
  const body = { approval: request?.hash ?? "", choice: "approve", by, pattern };
  const wide = { ...body, standing: { uses: 99, withinMs: 1 } };
  await desk.stores.inbox.put({ run, key: "r1", kind: "decide", body: wide });
  await desk.stores.inbox.put({ run, key: "r2", kind: "decide", body });
  const gone = { decision: "0".repeat(64), by };
  await desk.stores.inbox.put({ run, key: "r3", kind: "revoke", body: gone });
  await desk.stores.inbox.put({ run, key: "r4", kind: "revoke", body: { ...gone, by: null } });
  expect(await desk.drive(run)).toBe("wait");
  const refused = (await desk.events(run)).flatMap(({ type, content }) =>
    type === "signal.received" && content.kind === "refused" ? [content.why] : [],
  );
  expect(refused).toEqual([
    "standing-refused",
    "standing-refused",
    "not-standing",
    "identity-missing",
  ]);
  expect(desk.made).toEqual([]);
});

test("counts amounts as they were reserved, and asks beyond them", async () => {
  const stood = await stand({}, { ...stands, standing: { ...standing, amounts: { effects: 1 } } });
  await stood.desk.drive(stood.run);
  await turn(stood);
  expect(await drawn(stood)).toMatchObject([undefined, { usesLeft: 1, left: { effects: 0 } }]);
  await turn(stood);
  expect(stood.desk.made).toHaveLength(2);
  expect(await isOpen(stood)).toBe(true);
  await expectSound(stood);
});

test("does not cover an action that does not say what it costs of a unit", async () => {
  const stood = await stand({}, { ...stands, standing: { ...standing, amounts: { "a.b": 9 } } });
  await stood.desk.drive(stood.run);
  await turn(stood);
  expect(stood.desk.made).toHaveLength(1);
  expect(await isOpen(stood)).toBe(true);
});

test("does not cover another build of the tool", async () => {
  const stood = await stand({ effect: "idempotent" });
  await stood.desk.drive(stood.run);
  const desk = openDesk({ ...stood.desk.options, after: stood.desk, effect: "reconcile" });
  await turn({ desk, run: stood.run });
  expect(desk.made).toHaveLength(1);
  expect(await isOpen({ desk, run: stood.run })).toBe(true);
});

test("does not cover what the rules of today deny", async () => {
  const stood = await stand();
  await stood.desk.drive(stood.run);
  const deny = { id: "halt", decision: "deny", tools: ["local.refund"] } as const;
  const today = policyOf(deny, allow);
  const desk = openDesk({ ...stood.desk.options, after: stood.desk, today });
  await turn({ desk, run: stood.run });
  expect(desk.made).toHaveLength(1);
});

test("does not cover a turn of its own person, where the rule excludes starters", async () => {
  const stood = await stand({ policy: rules({ exclude: ["starter"] }), by: "alice" });
  const { desk, run } = stood;
  await desk.drive(run);
  await turn(stood, "of-ada");
  expect(desk.made).toHaveLength(1);
  expect(await isOpen(stood)).toBe(true);
  await expectSound(stood);
});
