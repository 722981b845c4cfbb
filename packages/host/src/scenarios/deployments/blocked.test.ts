import { SEALING_TRIES_MAX } from "@turnseal/kernel";
import {
  INBOX_READ_MAX,
  manualClock,
  memoryStores,
  SEALING_MS_MAX,
  type Signer,
  seededIds,
} from "@turnseal/ports";
import { BLOCK_CAUSES, type Policy } from "@turnseal/protocol";
import { definePrompt, defineTool, jsonSchema, type Loop } from "@turnseal/protocol/authoring";
import { describe, expect, test } from "vitest";
import { createLocalHost } from "../../local/local-host.ts";

const signer: Signer = {
  keyId: "key",
  issuer: "development",
  sign: async () => new Uint8Array(64),
};
const any = jsonSchema<object>(true);
const grant = { grantor: "ada", tools: ["local.pay", "turnseal.question"], budget: {} };
const asks: Policy = {
  name: "ask",
  rules: [{ id: "pay", decision: "ask", tools: ["local.pay"] }],
};
const by = { id: "bob", roles: [] };

function openShop() {
  const clock = manualClock();
  const stores = memoryStores(clock);
  const paid: string[] = [];
  const pay = (version: string) =>
    defineTool({
      ...{ id: "pay", version, input: any, output: any, effect: "once", build: version },
      run: () => {
        paid.push(version);
        return {};
      },
    });
  const chat = (version: string) =>
    definePrompt({ id: "chat", version, input: any, output: any, template: `I am ${version}` });
  const ask = (version: string) =>
    defineTool({
      ...{ id: "ask", version, input: any, output: any, effect: "read" },
      implementation: "turnseal.question",
      config: { to: "person" },
      run: () => ({}),
    });
  const deploy = (loops: readonly Loop<never, unknown>[], sealer = signer) =>
    createLocalHost({ loops, stores, signer: sealer, clock, ids: seededIds("shop") });
  return { clock, stores, paid, pay, chat, ask, deploy };
}

type Shop = ReturnType<typeof openShop>;

async function typesOf({ stores }: Shop, run: string): Promise<string[]> {
  return (await stores.log.read(run, 1)).map(({ type }) => type);
}

describe("an approved payment meets a worker without its loop", () => {
  async function approve() {
    const shop = openShop();
    const old = shop.deploy([shop.pay("1.0.0")]);
    const run = await old.start(shop.pay("1.0.0"), {}, { grant, policy: asks });
    expect((await old.drive(run)).dues.kind).toBe("wait");
    const [request] = await old.requests(run);
    const wrong = shop.deploy([shop.pay("1.1.0")]);
    await wrong.decide(run, request?.id ?? "", { choice: "approve", by });
    return { shop, old, wrong, run };
  }

  test("it is blocked, and says by what", async () => {
    const { shop, wrong, run } = await approve();
    const { dues } = await wrong.drive(run);
    expect(dues).toMatchObject({ kind: "blocked", why: "loop-missing", what: "pay 1.0.0" });
    expect(await wrong.show(run)).toMatchObject({
      stopped: null,
      blocked: { cause: "loop-missing", what: "pay 1.0.0" },
    });
    expect(shop.paid).toEqual([]);
  });

  test("the decision is taken meanwhile, and looks without end leave one line", async () => {
    const { shop, wrong, run } = await approve();
    for (let look = 0; look < 30; look++) await wrong.drive(run);
    const types = await typesOf(shop, run);
    expect(types.filter((type) => type === "run.blocked")).toHaveLength(1);
    expect(types).toContain("approval.decided");
    expect(types).not.toContain("turn.resumed");
  });

  test("after a rollback it is paid, once", async () => {
    const { shop, old, wrong, run } = await approve();
    await wrong.drive(run);
    expect(await old.drive(run)).toMatchObject({
      projection: { stopped: "goal-reached", blocked: null },
    });
    expect(shop.paid).toEqual(["1.0.0"]);
  });

  test("with both versions beside each other it is paid by its own", async () => {
    const { shop, wrong, run } = await approve();
    await wrong.drive(run);
    const both = shop.deploy([shop.pay("1.1.0"), shop.pay("1.0.0")]);
    await both.drive(run);
    expect(shop.paid).toEqual(["1.0.0"]);
  });

  test("another lack is said anew", async () => {
    const { shop, wrong, run } = await approve();
    await wrong.drive(run);
    const bare = shop.deploy([{ definition: shop.pay("1.0.0").definition }]);
    expect((await bare.drive(run)).dues).toMatchObject({ why: "tool-missing" });
    await wrong.drive(run);
    const types = await typesOf(shop, run);
    expect(types.filter((type) => type === "run.blocked")).toHaveLength(3);
  });

  test("a cancel ends it, sealed as it stands", async () => {
    const { shop, wrong, run } = await approve();
    await wrong.drive(run);
    await wrong.cancel(run, { by: "bob", key: "stop" });
    expect(await wrong.drive(run)).toMatchObject({
      projection: {
        stopped: "cancelled",
        lastTurn: { outcome: "cancelled", reason: "withdrawn" },
      },
    });
    expect(await shop.stores.receipts.read(run, 1)).toBeDefined();
    const replays = [];
    for await (const { replayed } of shop.deploy([shop.pay("1.0.0")]).replay(run))
      replays.push(replayed);
    expect(replays).toEqual([{ kind: "not-replayable", reason: "withdrawn" }]);
  });
});

test("a conversation between two messages survives a worker without its agent", async () => {
  const shop = openShop();
  const old = shop.deploy([shop.chat("1.0.0")]);
  const bounds = { turnsMax: 9, awaits: ["message"], nextInput: { text: "$.signals.message" } };
  const run = await old.start(shop.chat("1.0.0"), {}, { grant, bounds });
  await old.drive(run);
  await old.signal(run, { name: "message", payload: "hello", key: "m1", by: "u" });
  const wrong = shop.deploy([shop.pay("1.1.0")]);
  for (let look = 0; look < 3; look++)
    expect((await wrong.drive(run)).dues).toMatchObject({ why: "loop-missing" });
  const before = await typesOf(shop, run);
  expect(before.filter((type) => type === "run.decided")).toHaveLength(2);
  expect(await old.drive(run)).toMatchObject({ projection: { stopped: null, turns: 2 } });
});

test("a run that nobody has begun waits for its loop, and is begun by whoever has it", async () => {
  const shop = openShop();
  const run = await shop.deploy([shop.pay("1.0.0")]).start(shop.pay("1.0.0"), {}, { grant });
  const wrong = shop.deploy([]);
  for (let look = 0; look < 3; look++) await wrong.drive(run);
  expect(await typesOf(shop, run)).toEqual(["run.started", "run.blocked"]);
  await shop.deploy([shop.pay("1.0.0")]).drive(run);
  expect(shop.paid).toEqual(["1.0.0"]);
});

test("a deadline ends a run between turns also where its loop is not", async () => {
  const shop = openShop();
  const bounds = { deadlineAt: new Date(shop.clock.now() + 1_000).toISOString() };
  const old = shop.deploy([shop.pay("1.0.0")]);
  const run = await old.start(shop.pay("1.0.0"), {}, { grant, bounds });
  const wrong = shop.deploy([]);
  await wrong.drive(run);
  shop.clock.advance(1_000);
  expect(await wrong.drive(run)).toMatchObject({ projection: { stopped: "deadline-passed" } });
});

test("an answer that only a missing loop can judge waits for it", async () => {
  const shop = openShop();
  const old = shop.deploy([shop.ask("1.0.0")]);
  const run = await old.start(shop.ask("1.0.0"), {}, { grant });
  await old.drive(run);
  const [question] = await old.requests(run);
  await old.answer(run, question?.id ?? "", { answer: { yes: true }, by });
  const wrong = shop.deploy([shop.ask("1.1.0")]);
  expect((await wrong.drive(run)).dues).toMatchObject({ kind: "blocked", why: "loop-missing" });
  expect(await shop.stores.inbox.peek(run)).toHaveLength(1);
  expect(await old.drive(run)).toMatchObject({ projection: { stopped: "goal-reached" } });
});

test("a cancel and a signal arrive behind more answers than one look reads", async () => {
  const shop = openShop();
  const old = shop.deploy([shop.ask("1.0.0")]);
  const run = await old.start(shop.ask("1.0.0"), {}, { grant });
  await old.drive(run);
  const [question] = await old.requests(run);
  for (let index = 0; index <= INBOX_READ_MAX; index++)
    await old.answer(run, question?.id ?? "", { answer: { index }, by });
  const other = shop.deploy([shop.ask("2.0.0")]);
  await other.signal(run, { name: "note", payload: 1, key: "note", by: "ada" });
  expect((await other.drive(run)).dues).toMatchObject({ kind: "blocked", what: "ask 1.0.0" });
  expect((await typesOf(shop, run)).filter((type) => type === "signal.received")).toHaveLength(1);
  await other.cancel(run, { key: "stop", by: "ada" });
  expect((await other.drive(run)).dues.kind).toBe("done");
  expect(await other.show(run)).toMatchObject({ stopped: "cancelled" });
});

test("without a key that is valid no turn begins and nothing acts", async () => {
  const shop = openShop();
  const ended: Signer = { ...signer, current: async () => undefined };
  const host = shop.deploy([shop.pay("1.0.0")], ended);
  const run = await host.start(shop.pay("1.0.0"), {}, { grant });
  for (let look = 0; look < 3; look++)
    expect((await host.drive(run)).dues).toMatchObject({ why: "key-ended", what: "key" });
  expect(shop.paid).toEqual([]);
  const types = (await shop.stores.log.read(run, 1)).map(({ type }) => type);
  expect(types).not.toContain("turn.started");
  await host.cancel(run, { by: "ada", key: "stop" });
  await host.drive(run);
  const renewed = shop.deploy([shop.pay("1.0.0")]);
  expect(await renewed.drive(run)).toMatchObject({ projection: { stopped: "cancelled" } });
  expect(shop.paid).toEqual([]);
});

test("a key that ends during a turn seals nothing, and nothing is lost", async () => {
  const shop = openShop();
  const ended: Signer = {
    ...signer,
    current: async () => (shop.paid.length === 0 ? signer : undefined),
  };
  const host = shop.deploy([shop.pay("1.0.0")], ended);
  const run = await host.start(shop.pay("1.0.0"), {}, { grant });
  for (let look = 0; look < 30; look++)
    expect((await host.drive(run)).dues).toMatchObject({ why: "key-ended", what: "key" });
  expect(await shop.stores.receipts.list(run, 1)).toEqual([]);
  expect(shop.paid).toEqual(["1.0.0"]);
  const renewed: Signer = { ...ended, current: async () => ({ ...signer, keyId: "next" }) };
  const next = shop.deploy([shop.pay("1.0.0")], renewed);
  expect(await next.drive(run)).toMatchObject({ projection: { stopped: "goal-reached" } });
  const [receipt] = await shop.stores.receipts.list(run, 1);
  expect(receipt?.envelope.signatures[0]?.keyid).toBe("next");
  expect(shop.paid).toEqual(["1.0.0"]);
});

/** Hands out the key of the minute; once the tool has acted, it is held up before it answers. */
function slowSigner({ clock, paid }: Shop, heldUpMs: number, times: number): Signer {
  let heldUp = 0;
  return {
    ...signer,
    current: async (nowMs) => {
      const isHeldUp = paid.length > 0 && heldUp < times;
      if (isHeldUp) clock.advance(heldUpMs);
      if (isHeldUp) heldUp += 1;
      return { ...signer, keyId: `key of ${Math.floor(nowMs / SEALING_MS_MAX)}` };
    },
  };
}

test.each([
  [SEALING_MS_MAX, 1, 1],
  [SEALING_MS_MAX + 1, 1, 2],
  [SEALING_MS_MAX + 1, SEALING_TRIES_MAX - 1, SEALING_TRIES_MAX],
])(
  "whoever was held up for %s ms before sealing, %s times, asks for the key again",
  async (heldUpMs, times, asks) => {
    const shop = openShop();
    const first = Math.floor(shop.clock.now() / SEALING_MS_MAX);
    const host = shop.deploy([shop.pay("1.0.0")], slowSigner(shop, heldUpMs, times));
    const run = await host.start(shop.pay("1.0.0"), {}, { grant });
    expect(await host.drive(run)).toMatchObject({ projection: { stopped: "goal-reached" } });
    const [receipt] = await shop.stores.receipts.list(run, 1);
    expect(receipt?.envelope.signatures[0]?.keyid).toBe(`key of ${first + asks - 1}`);
  },
);

test("whoever is held up more than SEALING_TRIES_MAX times seals nothing for now", async () => {
  const shop = openShop();
  const slow = slowSigner(shop, SEALING_MS_MAX + 1, SEALING_TRIES_MAX);
  const host = shop.deploy([shop.pay("1.0.0")], slow);
  const run = await host.start(shop.pay("1.0.0"), {}, { grant });
  expect((await host.drive(run)).dues).toMatchObject({ why: "key-ended" });
  expect(shop.paid).toEqual(["1.0.0"]);
  expect(await host.drive(run)).toMatchObject({ projection: { stopped: "goal-reached" } });
  expect(shop.paid).toEqual(["1.0.0"]);
});

test("what can be missing is a closed list", () => {
  expect([...BLOCK_CAUSES]).toEqual([
    ...["loop-missing", "loop-changed", "tool-missing", "release-away", "root-missing"],
    ...["world-drift", "unspoken", "key-ended"],
    ...["error", "quarantined", "paused", "limited"],
  ]);
});
