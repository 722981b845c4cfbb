// Exactly the requests that are no longer open once the inbox is read count as answered.

import type { OpenClaim, OpenRequest, OpenTurn } from "@turnseal/folds";
import type { InboxRow } from "@turnseal/ports";
import type { Identity, JsonObject } from "@turnseal/protocol";
import { describe, expect, test } from "vitest";
import { ada, allow, ask, bob, eve, policyOf } from "../scenarios/__fixtures__/refund-desk.ts";
import {
  decision,
  openStage,
  type Stage,
} from "../scenarios/approvals/approval-stage.test.data.ts";
import { listAnswered } from "./list-answered.ts";

async function readAnswered({ desk, run }: Stage): Promise<readonly string[]> {
  const { host, stores } = desk();
  const projection = await host.show(run);
  if (projection === undefined) throw new Error("the run is there");
  return [...listAnswered(projection, await stores.inbox.peek(run))];
}

/** Whether it is answered before it is read, and whether it is still open after. */
async function compare(stage: Stage) {
  const [hash = ""] = stage.requests.map((request) => request.hash);
  const answered = await readAnswered(stage);
  await stage.desk().drive(stage.run);
  const open = await stage.desk().host.requests(stage.run);
  return {
    isAnswered: answered.includes(hash),
    isOpen: open.some((request) => request.hash === hash),
  };
}

describe("an approval", () => {
  const edited = { order: "A-1", cents: 1100 };
  test.each<[string, JsonObject, boolean]>([
    ["an approval", {}, true],
    ["a rejection", { choice: "reject" }, true],
    ["an edit that fits", { choice: "edit", arguments: edited }, true],
    ["somebody without the role", { by: { ...eve, roles: ["support"] } }, false],
    ["nobody", { by: {} }, false],
    ["a word that is none", { choice: "perhaps" }, false],
    ["a word about something else", { approval: "another" }, false],
  ])("is answered by what counts alone: %s", async (_, fields, isAnswered) => {
    const stage = await openStage();
    expect(await readAnswered(stage)).toEqual([]);
    await stage.put("decide", decision(stage.requests[0], fields));
    expect(await compare(stage)).toEqual({ isAnswered, isOpen: !isAnswered });
  });

  test("is not answered by a word that came too late", async () => {
    const stage = await openStage({ policy: policyOf({ ...ask, decideWithinMs: 1_000 }, allow) });
    stage.desk().clock.advance(1_001);
    await stage.put("decide", decision(stage.requests[0]));
    expect(await readAnswered(stage)).toEqual([]);
  });

  test("of two people is answered when both have spoken, read or not", async () => {
    const stage = await openStage({ policy: policyOf({ ...ask, approvers: 2 }, allow) });
    await stage.approve(ada);
    expect(await compare(stage)).toEqual({ isAnswered: false, isOpen: true });
    const again = (by: Identity, choice: string) =>
      stage.put(
        "decide",
        decision(stage.requests[0], { by: { ...by, roles: [...by.roles] }, choice }),
      );
    await again(ada, "reject");
    expect(await compare(stage)).toEqual({ isAnswered: false, isOpen: true });
    await stage.approve(bob);
    expect(await compare(stage)).toEqual({ isAnswered: true, isOpen: false });
  });
});

const request = {
  ...{ kind: "question", hash: "q", role: "support", approvers: 1, approvedBy: [] },
  decideBy: null,
} as unknown as OpenRequest;
const claim = {
  ...{ key: "k", hash: "c", role: "finance", excluded: [], effect: "once", isUnknown: true },
} as unknown as OpenClaim;
const openTurn = { asked: [request], open: [claim] } as unknown as OpenTurn;

function answeredBy(kind: InboxRow["kind"], body: JsonObject, turn: OpenTurn = openTurn): string[] {
  const receivedAt = "2026-01-01T00:00:00.000Z";
  return [
    ...listAnswered({ openTurn: turn, stopped: null }, [
      { run: "r", key: "m", kind, body, receivedAt },
    ]),
  ];
}

test("a question is answered by somebody who may, at any time where it has none", () => {
  const body = { question: "q", answer: 1 };
  expect(answeredBy("answer", { ...body, by: { ...eve, roles: ["support"] } })).toEqual(["q"]);
  expect(answeredBy("answer", { ...body, by: { id: "ada", roles: ["finance"] } })).toEqual([]);
});

test("an unknown action is answered by a word on its very claim", () => {
  const body = {
    key: "k",
    claimHash: "c",
    resolution: "retry",
    by: { id: "ada", roles: ["finance"] },
  };
  expect(answeredBy("resolve", body)).toEqual(["c"]);
  expect(answeredBy("resolve", { ...body, claimHash: "other" })).toEqual([]);
  expect(answeredBy("resolve", { ...body, resolution: "orphaned" })).toEqual([]);
  expect(answeredBy("resolve", { ...body, by: "ada" })).toEqual([]);
  const acting = { ...openTurn, open: [{ ...claim, isUnknown: false }] };
  expect(answeredBy("resolve", body, acting)).toEqual([]);
});

test("between two turns nothing is asked", () => {
  expect(listAnswered({ openTurn: null, stopped: null }, [])).toEqual(new Set());
});
