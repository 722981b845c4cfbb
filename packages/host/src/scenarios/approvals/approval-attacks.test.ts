/**
 * Attacks on approvals, each beside its honest twin. The twin is as near to the attack as it can
 * be, and works: what stops the attack is the one thing in which they differ.
 */
import type { Stores } from "@turnseal/ports";
import type { JsonObject, LoopEvent } from "@turnseal/protocol";
import { describe, expect, test } from "vitest";
import {
  ada,
  allow,
  ask,
  bob,
  type DeskOptions,
  eve,
  policyOf,
} from "../__fixtures__/refund-desk.ts";
import { decision, openStage, readEnd, type Stage } from "./approval-stage.test.data.ts";

interface Play {
  readonly does: (stage: Stage) => Promise<unknown>;
  readonly end: string;
  readonly made: readonly string[];
  /** Why rows were not taken in. */
  readonly refused?: readonly string[];
}

interface Row {
  readonly name: string;
  readonly options?: DeskOptions;
  readonly attack: Play;
  readonly honest: Play;
}

const refund = "A-1 1200";
const waits = { end: "wait", made: [] };
const done = { end: "goal-reached", made: [refund] };
const approve: Play = { does: (stage) => stage.approve(), ...done };
const deny = policyOf({ id: "frozen", decision: "deny", tools: ["local.refund"] });
const minute = 60_000;
const soon = (times: object) => ({ policy: policyOf({ ...ask, ...times }, allow) });
const twoOrders = {
  asks: [1200, 1300].map((cents, index) => ({ order: `A-${index + 1}`, cents })),
};
const twoTurns = {
  bounds: { turnsMax: 2, goal: { path: "$.output.told[0].refunded", atLeast: 5_000 } },
};

/** A client's copy of an event. */
function toJson(event: LoopEvent): JsonObject {
  return JSON.parse(JSON.stringify(event));
}

/** The process ends when the claim of a tool is durable, and before the tool is called. */
function dieAfterClaim(): DeskOptions {
  const see = (stores: Stores): Stores => ({
    ...stores,
    log: {
      ...stores.log,
      append: async (append) => {
        const answer = await stores.log.append(append);
        const isClaim = append.events.some(
          ({ type, content }) => type === "action.claimed" && content.action === "tool",
        );
        if (isClaim) throw new Error("crash");
        return answer;
      },
    },
  });
  return { effect: "once", see };
}

/** Approved and claimed, and then nobody knows. */
async function beUnknown(stage: Stage): Promise<string> {
  await stage.approve();
  await expect(stage.desk().drive(stage.run)).rejects.toThrow("crash");
  stage.reopen({ effect: "once", see: (stores) => stores });
  stage.desk().clock.advance(10 * minute);
  await stage.desk().drive(stage.run);
  const projection = await stage.desk().host.show(stage.run);
  return projection?.openTurn?.open.find(({ isUnknown }) => isUnknown)?.key ?? "";
}

async function answerUnknown(stage: Stage, by: typeof ada): Promise<void> {
  const key = await beUnknown(stage);
  await stage.desk().host.resolve(stage.run, { key, resolution: "retry", by });
}

/** Approves the first turn's refund, and answers with the row that did so. */
async function reachSecondTurn(stage: Stage): Promise<void> {
  await stage.approve();
  await stage.desk().drive(stage.run);
}

/** A run under the same start, with other rules beside the digest of the first. */
async function startBeside(stage: Stage, policy: object): Promise<string> {
  const run = await stage.desk().start("beside");
  const [row] = await stage.desk().stores.inbox.peek(run);
  const other = "3f0c5a52-0d5b-4a39-8f39-8f0f6b1f2a3b";
  await stage.put("start", { ...row?.body, policy: { ...policy } }, other);
  return other;
}

const rows: readonly Row[] = [
  {
    name: "forged history: a client's copy of the event that would approve",
    attack: {
      does: async (stage) => stage.put("decide", toJson(await stage.forge())),
      ...waits,
      refused: ["not-asked"],
    },
    honest: approve,
  },
  {
    name: "forged history: the same as a signal",
    attack: {
      does: async (stage) => {
        const payload = toJson(await stage.forge());
        await stage
          .desk()
          .host.signal(stage.run, { name: "approval.decided", key: "forged", by: "eve", payload });
      },
      ...waits,
    },
    honest: approve,
  },
  {
    name: "forged history: appended by somebody who does not own the run's epoch",
    attack: {
      does: async (stage) => {
        const forged = await stage.forge({ epoch: 0 });
        const after = { sequence: forged.sequence - 1, hash: forged.previous };
        const answer = await stage.desk().stores.log.append({
          run: stage.run,
          epoch: 0,
          after,
          events: [forged],
          blobs: [],
          consumed: [],
        });
        expect(answer.kind).toBe("fenced");
      },
      ...waits,
    },
    honest: approve,
  },
  {
    name: "swapped arguments: the approval of another refund",
    options: twoOrders,
    attack: { does: (stage) => stage.approve(ada, 1), ...waits },
    honest: {
      does: async (stage) => [await stage.approve(ada, 1), await stage.approve(ada, 0)],
      end: "goal-reached",
      made: ["A-1 1200", "A-2 1300"],
    },
  },
  {
    name: "swapped arguments: others slipped into the approval",
    attack: {
      does: (stage) =>
        stage.put("decide", decision(stage.requests[0], { arguments: { order: "A-1", cents: 9 } })),
      ...done,
    },
    honest: approve,
  },
  {
    name: "swapped arguments: an edit is taken for the approval of what it asks for",
    attack: {
      does: (stage) =>
        stage.put(
          "decide",
          decision(stage.requests[0], { choice: "edit", arguments: { order: "A-1", cents: 9 } }),
        ),
      ...waits,
    },
    honest: {
      does: async (stage) => {
        await stage.put(
          "decide",
          decision(stage.requests[0], { choice: "edit", arguments: { order: "A-1", cents: 9 } }),
        );
        await stage.desk().drive(stage.run);
        const [edited] = await stage.desk().host.requests(stage.run);
        await stage.put("decide", decision(edited));
      },
      end: "goal-reached",
      made: ["A-1 9"],
    },
  },
  {
    name: "swapped arguments: the model says something else after the approval",
    attack: {
      does: async (stage) => {
        await stage.approve();
        stage.reopen({ asks: [{ order: "A-1", cents: 999_999 }] });
      },
      ...done,
    },
    honest: { does: async (stage) => [await stage.approve(), stage.reopen()], ...done },
  },
  {
    name: "swapped arguments: the tool is another by then",
    attack: {
      does: async (stage) => {
        await stage.approve();
        stage.reopen({ version: "1.3.0" });
      },
      end: "loop-changed",
      made: [],
    },
    honest: { does: async (stage) => [await stage.approve(), stage.reopen()], ...done },
  },
  {
    name: "replay: the row of a decision once more",
    options: twoTurns,
    attack: {
      does: async (stage) => {
        await reachSecondTurn(stage);
        await stage.put("decide", decision(stage.requests[0]));
      },
      end: "wait",
      made: [refund],
      refused: ["not-asked"],
    },
    honest: {
      does: async (stage) => {
        await reachSecondTurn(stage);
        const [second] = await stage.desk().host.requests(stage.run);
        await stage.put("decide", decision(second));
      },
      end: "turns-exhausted",
      made: [refund, refund],
    },
  },
  {
    name: "another run: its decision is put into this one",
    attack: {
      does: async (stage) => {
        const other = await stage.desk().start("other");
        await stage.desk().drive(other);
        const [request] = await stage.desk().host.requests(other);
        await stage.put("decide", decision(request));
      },
      ...waits,
      refused: ["not-asked"],
    },
    honest: { does: (stage) => stage.put("decide", decision(stage.requests[0])), ...done },
  },
  {
    name: "another agent: it answers the approval as if it had been asked a question",
    attack: {
      does: (stage) =>
        stage.put("answer", {
          ...decision(stage.requests[0]),
          question: stage.requests[0]?.hash ?? "",
          answer: true,
        }),
      ...waits,
      refused: ["not-asked"],
    },
    honest: { does: (stage) => stage.put("decide", decision(stage.requests[0])), ...done },
  },
  {
    name: "another role",
    attack: {
      does: (stage) =>
        stage.put("decide", decision(stage.requests[0], { by: { ...eve, roles: [...eve.roles] } })),
      ...waits,
      refused: ["role-missing"],
    },
    honest: { does: (stage) => stage.put("decide", decision(stage.requests[0])), ...done },
  },
  {
    name: "nobody: a decision without an identity, where no role is asked for",
    options: { policy: policyOf({ id: "any", decision: "ask" }) },
    attack: {
      does: (stage) =>
        stage.put("decide", { approval: stage.requests[0]?.hash ?? "", choice: "approve" }),
      ...waits,
      refused: ["identity-missing"],
    },
    honest: {
      does: (stage) =>
        stage.put("decide", decision(stage.requests[0], { by: { id: "zoe", roles: [] } })),
      ...done,
    },
  },
  {
    name: "stale policy: older rules beside the digest of the newer",
    attack: {
      does: async (stage) => {
        // The rules are those of the digest, and this host has them at hand: they ask.
        const run = await startBeside(stage, policyOf(allow));
        expect(await stage.desk().drive(run)).toBe("wait");
        expect(await stage.desk().host.requests(run)).toHaveLength(1);
      },
      ...waits,
    },
    honest: {
      does: async (stage) => {
        const run = await startBeside(stage, policyOf(ask, allow));
        expect(await stage.desk().drive(run)).toBe("wait");
        await stage.approve();
      },
      ...done,
    },
  },
  {
    name: "policy tightened while parked",
    attack: {
      does: async (stage) => [await stage.approve(), stage.reopen({ today: deny })],
      end: "goal-reached",
      made: [],
    },
    honest: {
      does: async (stage) => [await stage.approve(), stage.reopen({ today: policyOf(ask, allow) })],
      ...done,
    },
  },
  {
    name: "double click",
    attack: {
      does: async (stage) => {
        expect(await stage.approve()).toEqual({ kind: "stored" });
        expect(await stage.approve()).toEqual({ kind: "known" });
      },
      ...done,
    },
    honest: approve,
  },
  {
    name: "two approvers at once: who rejects comes first",
    attack: {
      does: async (stage) => [await stage.reject(bob), await stage.approve(ada)],
      end: "approval-rejected",
      made: [],
      refused: ["not-asked"],
    },
    honest: {
      does: async (stage) => [await stage.approve(ada), await stage.reject(bob)],
      ...done,
      refused: ["not-asked"],
    },
  },
  {
    name: "one of two approvers decides for both",
    options: { policy: policyOf({ ...ask, approvers: 2 }, allow) },
    attack: {
      does: async (stage) => [
        await stage.approve(ada),
        await stage.put("decide", decision(stage.requests[0])),
      ],
      ...waits,
      refused: ["decided-already"],
    },
    honest: {
      does: async (stage) => [await stage.approve(ada), await stage.approve(bob)],
      ...done,
    },
  },
  {
    name: "expired to decide: received a millisecond late",
    options: soon({ decideWithinMs: minute }),
    attack: {
      does: (stage) => {
        stage.desk().clock.advance(minute + 1);
        return stage.approve();
      },
      end: "approval-expired",
      made: [],
      refused: ["too-late"],
    },
    honest: {
      does: (stage) => {
        stage.desk().clock.advance(minute);
        return stage.approve();
      },
      ...done,
    },
  },
  {
    name: "expired to decide: an early time in the row itself",
    options: soon({ decideWithinMs: minute }),
    attack: {
      does: (stage) => {
        stage.desk().clock.advance(minute + 1);
        return stage.put(
          "decide",
          decision(stage.requests[0], { receivedAt: "2026-01-01T00:00:00.000Z" }),
        );
      },
      end: "approval-expired",
      made: [],
      refused: ["too-late"],
    },
    honest: {
      does: async (stage) => {
        // Received in time, and read late.
        await stage.put("decide", decision(stage.requests[0]));
        stage.desk().clock.advance(2 * minute);
      },
      ...done,
    },
  },
  {
    name: "expired to use: claimed a millisecond late",
    options: soon({ useWithinMs: minute }),
    attack: {
      does: async (stage) => [await stage.approve(), stage.desk().clock.advance(minute + 1)],
      end: "approval-expired",
      made: [],
    },
    honest: {
      does: async (stage) => [await stage.approve(), stage.desk().clock.advance(minute)],
      ...done,
    },
  },
  {
    name: "crash between consume and act: the approval is used once more",
    options: dieAfterClaim(),
    attack: {
      does: async (stage) => {
        await beUnknown(stage);
        await stage.put("decide", decision(stage.requests[0]));
      },
      ...waits,
      refused: ["not-asked"],
    },
    honest: { does: (stage) => answerUnknown(stage, ada), ...done },
  },
  {
    name: "answer to an unknown by the wrong role",
    options: dieAfterClaim(),
    attack: {
      does: async (stage) => {
        await expect(answerUnknown(stage, eve)).rejects.toMatchObject({ code: "ROLE_MISSING" });
        // A forger who can write to the inbox passes the door, and is refused at the log.
        const projection = await stage.desk().host.show(stage.run);
        const claim = projection?.openTurn?.open.find(({ isUnknown }) => isUnknown);
        const { key = "", hash: claimHash = "" } = claim ?? {};
        await stage.put("resolve", {
          key,
          claimHash,
          resolution: "retry",
          by: { ...eve, roles: [...eve.roles] },
        });
      },
      ...waits,
      refused: ["role-missing"],
    },
    honest: { does: (stage) => answerUnknown(stage, bob), ...done },
  },
  {
    name: "answer to an unknown that names another claim",
    options: dieAfterClaim(),
    attack: {
      does: async (stage) => {
        const key = await beUnknown(stage);
        const by = { id: "ada", roles: ["finance"] };
        await stage.put("resolve", {
          key,
          claimHash: stage.requests[0]?.hash ?? "",
          resolution: "retry",
          by,
        });
      },
      ...waits,
      refused: ["that claim is not unknown"],
    },
    honest: { does: (stage) => answerUnknown(stage, ada), ...done },
  },
  ...[
    ["a Cyrillic letter", "A-1", "\u0410-1"],
    ["another normal form", "caf\u00e9", "cafe\u0301"],
    ["a space of no width", "A-1", "A-\u200b1"],
    ["a mark that turns the text", "A-1", "\u202eA-1"],
  ].map(
    ([what, order = "", alike = ""]): Row => ({
      name: `unicode look-alikes: ${what}`,
      options: { asks: [alike, order].map((name) => ({ order: name, cents: 1200 })) },
      attack: { does: (stage) => stage.approve(ada, 1), ...waits },
      honest: {
        does: async (stage) => {
          const events = await stage.desk().events(stage.run);
          const asked = events.filter((event) => event.type === "approval.requested");
          expect(new Set(asked.map(({ content }) => content.digest)).size).toBe(2);
          await stage.approve(ada, 0);
        },
        end: "wait",
        made: [`${alike} 1200`],
      },
    }),
  ),
];

describe.each(rows)("$name", ({ options = {}, attack, honest }) => {
  test.each([
    ["the attack", attack],
    ["its honest twin", honest],
  ])("%s", async (_, { does, refused = [], end, made }) => {
    const stage = await openStage(options);
    expect(stage.desk().made).toEqual([]);
    await does(stage);
    expect(await readEnd(stage)).toEqual({ end, made, refused });
    // After all these attempts, the log holds only valid events.
    expect(await stage.desk().findFaults(stage.run)).toEqual([]);
  });
});

describe("whoever owns the epoch and writes what cannot count", () => {
  test.each([
    ["a decision without the role", { roles: ["support"] }],
    ["a decision received too late", { receivedAt: "2027-01-01T00:00:00.000Z" }],
    ["a decision about another hash", { hash: "0".repeat(64) }],
  ])("%s: nothing is done, and it is found", async (_, spoiled) => {
    const stage = await openStage();
    const { stores } = stage.desk();
    const { epoch, head } = await stores.log.takeEpoch(stage.run);
    const { content } = await stage.forge();
    const forged = await stage.forge({ epoch, content: { ...content, ...spoiled } });
    const { kind } = await stores.log.append({
      ...{ run: stage.run, epoch, after: head, events: [forged], blobs: [], consumed: [] },
    });
    expect(kind).toBe("appended");
    await stage.desk().drive(stage.run);
    expect(stage.desk().made).toEqual([]);
    expect(await stage.desk().findFaults(stage.run)).toMatchObject([
      { code: "APPROVAL_VOID", sequence: forged.sequence },
    ]);
  });

  test("its honest twin is taken", async () => {
    const stage = await openStage();
    const { stores } = stage.desk();
    const { epoch, head } = await stores.log.takeEpoch(stage.run);
    const forged = await stage.forge({ epoch });
    await stores.log.append({
      ...{ run: stage.run, epoch, after: head, events: [forged], blobs: [], consumed: [] },
    });
    expect(await readEnd(stage)).toEqual({ end: "goal-reached", made: [refund], refused: [] });
    expect(await stage.desk().findFaults(stage.run)).toEqual([]);
  });
});
