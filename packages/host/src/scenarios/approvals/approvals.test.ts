// Approvals from the request to the receipt, through a real host.
import { INPUT_BYTES_MAX } from "@turnseal/kernel";
import { INBOX_BODY_BYTES_MAX } from "@turnseal/ports";
import { isClaimOf, type JsonValue } from "@turnseal/protocol";
import { describe, expect, test } from "vitest";
import { decideMessage } from "../../messages/inbox-messages.ts";
import {
  ada,
  allow,
  ask,
  bob,
  type Desk,
  eve,
  openDesk,
  policyOf,
} from "../__fixtures__/refund-desk.ts";

async function park(desk: Desk): Promise<{ run: string; approval: string }> {
  const run = await desk.start();
  expect(await desk.drive(run)).toBe("wait");
  const [request] = await desk.host.requests(run);
  return { run, approval: request?.id ?? "" };
}

const typesOf = async (desk: Desk, run: string, prefix: string): Promise<string[]> =>
  (await desk.events(run)).map(({ type }) => type).filter((type) => type.startsWith(prefix));

const conversation = { awaits: ["message"] };

async function expectSound(desk: Desk, run: string): Promise<void> {
  expect(await desk.findFaults(run)).toEqual([]);
  expect(new Set(await desk.replay(run))).toEqual(new Set(["identical"]));
}

describe("an action that the rules ask for", () => {
  test("waits with everything that a person needs to know, and nothing is done", async () => {
    const desk = openDesk();
    const { run } = await park(desk);
    expect(desk.made).toEqual([]);
    expect(await desk.host.requests(run)).toMatchObject([
      {
        kind: "approval",
        name: "local.refund",
        loop: "refund",
        version: "1.2.0",
        role: "finance",
        approvers: 1,
        request: { order: "A-1", cents: 1200 },
        facts: {
          rule: { id: "large-refunds", file: "refunds.toml", line: 7 },
          effect: "idempotent",
          reserve: { toolCalls: 1, effects: 1 },
        },
      },
    ]);
    expect(JSON.stringify(await desk.events(run))).not.toContain("A-1");
  });

  test("is done once approved, in the same turn, and the receipt says who allowed it", async () => {
    const desk = openDesk();
    const { run, approval } = await park(desk);
    expect(await desk.host.decide(run, approval, { choice: "approve", by: ada })).toEqual({
      kind: "stored",
    });
    expect(await desk.drive(run)).toBe("goal-reached");
    expect(desk.made).toEqual([{ order: "A-1", cents: 1200 }]);
    const events = await desk.events(run);
    const requested = events.find((event) => event.type === "approval.requested");
    const decided = events.find((event) => event.type === "approval.decided");
    const claim = events.find(
      (event) => isClaimOf("tool", event) && event.content.tool === "local.refund",
    );
    expect(claim?.content).toMatchObject({
      approval: requested?.sequence,
      rule: { id: "large-refunds" },
    });
    expect(decided).toMatchObject({ actor: { kind: "person", id: "ada" }, turn: 1 });
    expect(events.filter((event) => event.type === "turn.started")).toHaveLength(1);
    await expectSound(desk, run);
  });

  test("is not done when rejected, and the run stops", async () => {
    const desk = openDesk();
    const { run, approval } = await park(desk);
    await desk.host.decide(run, approval, { choice: "reject", by: ada, reason: "no such order" });
    expect(await desk.drive(run)).toBe("approval-rejected");
    expect(desk.made).toEqual([]);
    const closed = (await desk.events(run)).find((event) => event.type === "turn.closed");
    expect(closed?.content).toMatchObject({ outcome: "rejected", reason: "approval-rejected" });
    expect(JSON.stringify(await desk.events(run))).not.toContain("no such order");
    await expectSound(desk, run);
  });

  test("is told to the model when the rule says so", async () => {
    const desk = openDesk({ policy: policyOf({ ...ask, onReject: "tell" }, allow) });
    const { run, approval } = await park(desk);
    await desk.host.decide(run, approval, { choice: "reject", by: ada });
    expect(await desk.drive(run)).toBe("goal-reached");
    expect(desk.made).toEqual([]);
    await expectSound(desk, run);
  });

  test("is told to the model of a conversation, which goes on, verified and replayed", async () => {
    const desk = openDesk({ bounds: conversation });
    const { run, approval } = await park(desk);
    await desk.host.decide(run, approval, { choice: "reject", by: ada });
    expect(await desk.drive(run)).toBe("wait");
    await desk.host.signal(run, { name: "message", payload: null, by: "ada", key: "m" });
    expect(await desk.drive(run)).toBe("wait");
    const shown = await desk.host.show(run);
    expect(shown).toMatchObject({ turns: 1, openTurn: { turn: 2 }, stopped: null });
    expect(desk.made).toEqual([]);
    await expectSound(desk, run);
    expect(await desk.replay(run)).toEqual(["identical"]);
  });

  test.each([
    ["a rule", { ...ask, onReject: "stop" } as const, conversation],
    ["the bounds", ask, { ...conversation, onReject: "stop" } as const],
  ])("ends a conversation where %s say stop", async (_, rule, bounds) => {
    const desk = openDesk({ policy: policyOf(rule, allow), bounds });
    const { run, approval } = await park(desk);
    await desk.host.decide(run, approval, { choice: "reject", by: ada });
    expect(await desk.drive(run)).toBe("approval-rejected");
    await expectSound(desk, run);
  });

  test("expires when nobody decides", async () => {
    const desk = openDesk({ policy: policyOf({ ...ask, decideWithinMs: 60_000 }, allow) });
    const { run, approval } = await park(desk);
    desk.clock.advance(60_000);
    expect(await desk.drive(run)).toBe("wait");
    desk.clock.advance(1);
    expect(await desk.drive(run)).toBe("approval-expired");
    expect(desk.made).toEqual([]);
    await expect(
      desk.host.decide(run, approval, { choice: "approve", by: ada }),
    ).rejects.toMatchObject({
      code: "REQUEST_UNKNOWN",
    });
    await expectSound(desk, run);
  });

  test("counts a decision that was received in time, however late it is read", async () => {
    const desk = openDesk({ policy: policyOf({ ...ask, decideWithinMs: 60_000 }, allow) });
    const { run, approval } = await park(desk);
    await desk.host.decide(run, approval, { choice: "approve", by: ada });
    desk.clock.advance(120_000);
    expect(await desk.drive(run)).toBe("goal-reached");
    expect(desk.made).toHaveLength(1);
    await expectSound(desk, run);
  });

  test("is not done with an approval that was not used in time", async () => {
    const desk = openDesk({ policy: policyOf({ ...ask, useWithinMs: 60_000 }, allow) });
    const { run, approval } = await park(desk);
    await desk.host.decide(run, approval, { choice: "approve", by: ada });
    desk.clock.advance(60_001);
    expect(await desk.drive(run)).toBe("approval-expired");
    expect(desk.made).toEqual([]);
    await expectSound(desk, run);
  });

  test("is not done once the grant has run out, although it was approved", async () => {
    const desk = openDesk({ grant: { expiresAt: "2026-01-01T00:10:00.000Z" } });
    const { run, approval } = await park(desk);
    await desk.host.decide(run, approval, { choice: "approve", by: ada });
    desk.clock.advance(10 * 60_000);
    await desk.drive(run);
    expect(desk.made).toEqual([]);
    const errored = (await desk.events(run)).find((event) => event.type === "call.errored");
    expect(errored?.content).toMatchObject({ details: { denial: "grant-expired" } });
    await expectSound(desk, run);
  });

  test("needs as many people as the rule says, each once", async () => {
    const desk = openDesk({ policy: policyOf({ ...ask, approvers: 2 }, allow) });
    const { run, approval } = await park(desk);
    await desk.host.decide(run, approval, { choice: "approve", by: ada });
    expect(await desk.drive(run)).toBe("wait");
    expect(await desk.host.decide(run, approval, { choice: "approve", by: ada })).toEqual({
      kind: "known",
    });
    expect(await desk.drive(run)).toBe("wait");
    await desk.host.decide(run, approval, { choice: "approve", by: bob });
    expect(await desk.drive(run)).toBe("goal-reached");
    expect(desk.made).toHaveLength(1);
    await expectSound(desk, run);
  });

  test("is decided by nobody without the role, or without an identity", async () => {
    const desk = openDesk();
    const { run, approval } = await park(desk);
    const { host } = desk;
    await expect(host.decide(run, approval, { choice: "approve", by: eve })).rejects.toMatchObject({
      code: "ROLE_MISSING",
    });
    const nobody = { id: "", roles: ["finance"] };
    await expect(
      host.decide(run, approval, { choice: "approve", by: nobody }),
    ).rejects.toMatchObject({ code: "IDENTITY_MISSING" });
    expect(await desk.drive(run)).toBe("wait");
    expect(desk.made).toEqual([]);
  });

  test("is asked for anew when a person edits it, and done as it was edited", async () => {
    const desk = openDesk();
    const { run, approval } = await park(desk);
    const smaller: JsonValue = { order: "A-1", cents: 1100 };
    await desk.host.decide(run, approval, { choice: "edit", by: ada, arguments: smaller });
    expect(await desk.drive(run)).toBe("wait");
    expect(desk.made).toEqual([]);
    const [request] = await desk.host.requests(run);
    expect(request).toMatchObject({ request: smaller });
    expect(request?.id).not.toBe(approval);
    await desk.host.decide(run, request?.id ?? "", { choice: "approve", by: bob });
    expect(await desk.drive(run)).toBe("goal-reached");
    expect(desk.made).toEqual([smaller]);
    await expectSound(desk, run);
  });

  test("cannot be edited to what the tool does not take", async () => {
    const desk = openDesk();
    const { run, approval } = await park(desk);
    await expect(
      desk.host.decide(run, approval, { choice: "edit", by: ada, arguments: { cents: -1 } }),
    ).rejects.toMatchObject({ code: "ANSWER_REFUSED" });
    expect(await desk.drive(run)).toBe("wait");
  });

  describe("is edited to arguments of INPUT_BYTES_MAX bytes, and to no byte more", () => {
    const sized = (bytes: number) => {
      const frame = JSON.stringify({ order: "", cents: 1100 }).length;
      return { order: "x".repeat(bytes - frame), cents: 1100 };
    };

    test("at the limit it is asked for anew, and done", async () => {
      const desk = openDesk();
      const { run, approval } = await park(desk);
      const edited = sized(INPUT_BYTES_MAX);
      await desk.host.decide(run, approval, { choice: "edit", by: ada, arguments: edited });
      expect(await desk.drive(run)).toBe("wait");
      const [request] = await desk.host.requests(run);
      await desk.host.decide(run, request?.id ?? "", { choice: "approve", by: bob });
      expect(await desk.drive(run)).toBe("goal-reached");
      expect(desk.made).toEqual([edited]);
      await expectSound(desk, run);
    });

    test("past it whoever asks the host is told so, and nothing is kept", async () => {
      const desk = openDesk();
      const { run, approval } = await park(desk);
      const edited = sized(INPUT_BYTES_MAX + 1);
      await expect(
        desk.host.decide(run, approval, { choice: "edit", by: ada, arguments: edited }),
      ).rejects.toMatchObject({
        code: "ANSWER_REFUSED",
        message: expect.stringContaining(`at most ${INPUT_BYTES_MAX} bytes`),
      });
      expect(await desk.stores.inbox.peek(run)).toEqual([]);
    });

    test("past it a row that the host has not seen is refused, and it stays open", async () => {
      const desk = openDesk();
      const { run, approval } = await park(desk);
      const [request] = await desk.host.requests(run);
      const message = decideMessage(run, request ?? { hash: "" }, {
        ...{ choice: "edit", by: ada, arguments: sized(INPUT_BYTES_MAX + 1) },
      });
      // The inbox itself has more room: the largest input of a run, with its other fields.
      expect(await desk.stores.inbox.put(message)).toEqual({ kind: "stored" });
      expect(await desk.drive(run)).toBe("wait");
      const refused = (await desk.events(run)).flatMap(({ type, content }) =>
        type === "signal.received" && content.kind === "refused" ? [content.why] : [],
      );
      expect(refused).toEqual(["answer-wrong"]);
      expect((await desk.host.requests(run)).map(({ id }) => id)).toEqual([approval]);
      expect(desk.made).toEqual([]);
    });

    test("past what the inbox holds it is not stored at all", async () => {
      const desk = openDesk();
      const { run } = await park(desk);
      const [request] = await desk.host.requests(run);
      const message = decideMessage(run, request ?? { hash: "" }, {
        ...{ choice: "edit", by: ada, arguments: sized(INBOX_BODY_BYTES_MAX) },
      });
      expect(await desk.stores.inbox.put(message)).toEqual({
        kind: "refused",
        reason: "too-large",
      });
    });
  });
});

describe("several at once", () => {
  const asks = [1, 2, 3, 4, 5].map((number) => ({
    order: `A-${number}`,
    cents: 1000 + number * 100,
  }));

  test("are asked for together, decided in any order, and done in their own", async () => {
    const desk = openDesk({ asks });
    const { run } = await park(desk);
    const requests = await desk.host.requests(run);
    expect(requests).toHaveLength(5);
    for (const index of [3, 0, 4, 1, 2]) {
      const next = openDesk({ asks, after: desk });
      const id = requests[index]?.id ?? "";
      expect(await next.host.decide(run, id, { choice: "approve", by: ada })).toEqual({
        kind: "stored",
      });
      expect(await next.drive(run)).toBe(index === 2 ? "goal-reached" : "wait");
    }
    expect(desk.made).toEqual(asks);
    await expectSound(desk, run);
  });

  test("what needs no approval waits for what stands before it", async () => {
    const mixed = [
      { order: "A-1", cents: 5000 },
      { order: "A-2", cents: 10 },
    ];
    const desk = openDesk({ asks: mixed });
    const { run, approval } = await park(desk);
    expect(desk.made).toEqual([]);
    await desk.host.decide(run, approval, { choice: "approve", by: ada });
    expect(await desk.drive(run)).toBe("goal-reached");
    expect(desk.made).toEqual(mixed);
    await expectSound(desk, run);
  });

  test("one rejection ends them all, and what was asked beside it is void", async () => {
    const desk = openDesk({ asks });
    const { run } = await park(desk);
    const requests = await desk.host.requests(run);
    await desk.host.decide(run, requests[1]?.id ?? "", { choice: "approve", by: ada });
    await desk.host.decide(run, requests[0]?.id ?? "", { choice: "reject", by: ada });
    expect(await desk.drive(run)).toBe("approval-rejected");
    expect(desk.made).toEqual([]);
    expect(await desk.host.requests(run)).toEqual([]);
    await expectSound(desk, run);
  });

  test("a cancel ends a turn that waits", async () => {
    const desk = openDesk({ asks });
    const { run } = await park(desk);
    await desk.host.cancel(run, { key: "stop", by: "ada" });
    expect(await desk.drive(run)).toBe("cancelled");
    expect(await typesOf(desk, run, "approval.decided")).toEqual([]);
    await expectSound(desk, run);
  });
});

describe("rules that change while a run waits", () => {
  test("what they deny by then is denied, although it was approved", async () => {
    const desk = openDesk();
    const { run, approval } = await park(desk);
    await desk.host.decide(run, approval, { choice: "approve", by: ada });
    const today = policyOf({ id: "frozen", decision: "deny", tools: ["local.refund"] }, allow);
    const next = openDesk({ after: desk, today });
    expect(await next.drive(run)).toBe("goal-reached");
    expect(desk.made).toEqual([]);
    const denied = (await desk.events(run)).find((event) => event.type === "call.errored");
    expect(denied?.content).toMatchObject({
      details: { denial: "policy-denied", rule: { id: "frozen" } },
    });
    await expectSound(next, run);
    await expectSound(desk, run);
  });

  test("what they allow by then is still asked for", async () => {
    const desk = openDesk();
    const { run } = await park(desk);
    const next = openDesk({ after: desk, today: policyOf(allow) });
    expect(await next.drive(run)).toBe("wait");
    expect(desk.made).toEqual([]);
  });

  test("rules on trial are recorded, and decide nothing", async () => {
    const shadow = policyOf({ id: "none", decision: "deny" });
    const desk = openDesk({ asks: [{ order: "A-1", cents: 10 }], shadow });
    const run = await desk.start();
    expect(await desk.drive(run)).toBe("goal-reached");
    expect(desk.made).toHaveLength(1);
    const claim = (await desk.events(run)).find((event) => isClaimOf("tool", event));
    expect(claim?.content.shadow).toMatchObject({ kind: "deny", rule: { id: "none" } });
    await expectSound(desk, run);
  });
});

test("an effect that no rule allows is denied", async () => {
  const desk = openDesk({ policy: policyOf(ask), asks: [{ order: "A-1", cents: 10 }] });
  const run = await desk.start();
  expect(await desk.drive(run)).toBe("goal-reached");
  expect(desk.made).toEqual([]);
  await expectSound(desk, run);
});
