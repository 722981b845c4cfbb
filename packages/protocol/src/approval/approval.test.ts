import { describe, expect, test } from "vitest";
import type { JsonObject } from "../canonical-json.ts";
import type { RawEvent } from "../log/raw-event.ts";
import { APPROVERS_MAX, EXCLUSIONS } from "../policy/policy.ts";
import {
  APPROVAL_CHOICES,
  answersQuestion,
  countsAsDecision,
  EXCLUDED_MAX,
  judgeApproval,
  listExcluded,
  readExclude,
  readTerms,
  refuseDecision,
} from "./approval.ts";

const askedAt = "2026-01-01T00:00:00.000Z";
const decideBy = "2026-01-01T01:00:00.000Z";
const late = "2026-01-01T01:00:00.001Z";

function event(type: string, fields: Partial<RawEvent>): RawEvent {
  return {
    ...{ id: "id", run: "run", sequence: 9, epoch: 1, at: askedAt, previous: "", hash: "h9" },
    ...{ type, turn: 1, actor: { kind: "kernel", id: "kernel" }, content: {}, ...fields },
  };
}

function request(content: JsonObject = {}): RawEvent {
  const terms = { role: "finance", approvers: 1, decideBy, useWithinMs: 1, ...content };
  return event("approval.requested", { sequence: 4, hash: "h4", content: terms });
}

function decided(id: string, content: JsonObject = {}, fields: Partial<RawEvent> = {}): RawEvent {
  const bound = { approval: 4, hash: "h4", choice: "approve", roles: ["finance"] };
  return event("approval.decided", {
    actor: { kind: "person", id },
    content: { ...bound, receivedAt: askedAt, ...content },
    ...fields,
  });
}

describe("a decision", () => {
  const terms = { role: "finance", approvers: 1, excluded: ["eve"], decideBy };
  const good = { choice: "approve", by: { id: "ada", roles: ["finance"] }, receivedAt: decideBy };

  test.each(APPROVAL_CHOICES)("may be to %s, up to the last moment", (choice) => {
    expect(refuseDecision(terms, { ...good, choice })).toBeUndefined();
  });

  test.each([
    ["choice-unknown", { choice: "Approve" }],
    ["choice-unknown", { choice: undefined }],
    ["choice-unknown", { choice: ["approve"] }],
    ["identity-missing", { by: { id: "", roles: ["finance"] } }],
    ["role-missing", { by: { id: "eve", roles: [] } }],
    ["role-missing", { by: { id: "eve", roles: ["Finance", "finance ", "finances"] } }],
    ["too-late", { receivedAt: late }],
    ["person-excluded", { by: { id: "eve", roles: ["finance"] } }],
    ["too-late", { receivedAt: "" }],
    ["too-late", { receivedAt: "2025" }],
    ["too-late", { receivedAt: "2026-01-01T00:00:00Z" }],
  ] as const)("is refused as %s: %j", (why, fields) => {
    expect(refuseDecision(terms, { ...good, ...fields })).toBe(why);
  });

  test("needs no role where none is asked for, and an identity all the same", () => {
    const anybody = { approvers: 1, decideBy };
    const by = { id: "zoe", roles: [] };
    expect(refuseDecision(anybody, { ...good, by })).toBeUndefined();
    expect(refuseDecision(anybody, { ...good, by: { ...by, id: "" } })).toBe("identity-missing");
  });

  test("a time that cannot be read is over", () => {
    expect(refuseDecision({ ...terms, decideBy: "never" }, good)).toBe("too-late");
  });
});

describe("a request", () => {
  test.each<[string, string, RawEvent[]]>([
    ["nobody decides", "pending", []],
    ["one approves", "approved", [decided("ada")]],
    ["one rejects", "rejected", [decided("ada", { choice: "reject" })]],
    ["one wants it otherwise", "edited", [decided("ada", { choice: "edit" })]],
    [
      "the first word counts: approve",
      "approved",
      [decided("ada"), decided("bob", { choice: "reject" })],
    ],
    [
      "the first word counts: reject",
      "rejected",
      [decided("bob", { choice: "reject" }), decided("ada")],
    ],
    [
      "what does not count is passed over",
      "approved",
      [decided("eve", { choice: "reject", roles: [] }), decided("ada")],
    ],
  ])("%s: %s", (_, kind, decisions) => {
    expect(judgeApproval(request(), decisions).kind).toBe(kind);
  });

  test.each<[string, RawEvent]>([
    ["of another request", decided("ada", { approval: 5 })],
    ["of another hash", decided("ada", { hash: "h5" })],
    ["of no request", decided("ada", { approval: "4" })],
    ["of another type", { ...decided("ada"), type: "question.answered" }],
    ["by the kernel", decided("ada", {}, { actor: { kind: "kernel", id: "ada" } })],
    ["by the host", decided("ada", {}, { actor: { kind: "host", id: "ada" } })],
    ["by an agent", decided("ada", {}, { actor: { kind: "agent", id: "ada" } })],
    ["by another run", decided("ada", {}, { actor: { kind: "run", id: "ada" } })],
    ["by nobody", decided("")],
    ["without the role", decided("ada", { roles: ["support"] })],
    ["with roles that are no list", decided("ada", { roles: "finance" })],
    ["too late", decided("ada", { receivedAt: late })],
    ["at no time", decided("ada", { receivedAt: null })],
    ["with another choice", decided("ada", { choice: "yes" })],
  ])("a decision %s counts for nothing", (_, decision) => {
    expect(countsAsDecision(request(), decision)).toBe(false);
    expect(judgeApproval(request(), [decision]).kind).toBe("pending");
  });

  test("as many people as it says must approve, each once", () => {
    const two = request({ approvers: 2 });
    expect(judgeApproval(two, [decided("ada"), decided("ada")]).kind).toBe("pending");
    const state = judgeApproval(two, [decided("ada"), decided("ada"), decided("bob")]);
    expect(state).toMatchObject({ kind: "approved" });
    const people = state.kind === "pending" ? [] : state.by.map(({ actor }) => actor.id);
    expect(people).toEqual(["ada", "bob"]);
    const rejected = [decided("ada"), decided("bob", { choice: "reject" }), decided("cleo")];
    expect(judgeApproval(two, rejected).kind).toBe("rejected");
  });

  test("no more people than APPROVERS_MAX, and no fewer than one", () => {
    const people = Array.from({ length: APPROVERS_MAX + 1 }, (_, index) => decided(`p${index}`));
    const most = request({ approvers: APPROVERS_MAX });
    expect(judgeApproval(most, people.slice(0, APPROVERS_MAX)).kind).toBe("approved");
    for (const approvers of [APPROVERS_MAX + 1, 0, -1, 1.5, "1", null])
      expect(judgeApproval(request({ approvers }), people).kind).toBe("pending");
  });

  test.each([{ decideBy: "soon" }, { role: 7 }, { approvers: {} }])(
    "whose terms cannot be read is approved by nobody: %j",
    (content) => {
      expect(readTerms(request(content).content)).toBeUndefined();
      expect(judgeApproval(request(content), [decided("ada")]).kind).toBe("pending");
    },
  );

  test("nothing else is a request", () => {
    const claim = { ...request(), type: "action.claimed" };
    expect(countsAsDecision(claim, decided("ada"))).toBe(false);
  });
});

describe("people who had a hand in it", () => {
  test("do not approve, and may still reject and edit", () => {
    const asked = request({ excluded: ["ada"] });
    expect(judgeApproval(asked, [decided("ada")]).kind).toBe("pending");
    expect(judgeApproval(asked, [decided("ada"), decided("bob")]).kind).toBe("approved");
    expect(judgeApproval(asked, [decided("ada", { choice: "reject" })]).kind).toBe("rejected");
    expect(judgeApproval(asked, [decided("ada", { choice: "edit" })]).kind).toBe("edited");
  });

  test("are EXCLUDED_MAX at most, and a request that names more is approved by nobody", () => {
    const ids = Array.from({ length: EXCLUDED_MAX + 1 }, (_, index) => `p${index}`);
    const most = request({ excluded: ids.slice(0, EXCLUDED_MAX) });
    expect(judgeApproval(most, [decided("ada")]).kind).toBe("approved");
    for (const excluded of [ids, "ada", [7], null])
      expect(judgeApproval(request({ excluded }), [decided("ada")]).kind).toBe("pending");
  });

  test("are the starters, then the editors, each once, and only whom the rule means", () => {
    const people = { starters: ["ada", "bob"], editors: ["cleo", "ada", "cleo"] };
    expect(listExcluded(["starter", "editor"], people)).toEqual(["ada", "bob", "cleo"]);
    expect(listExcluded(["editor"], people)).toEqual(["cleo", "ada"]);
    expect(listExcluded(["starter"], people)).toEqual(["ada", "bob"]);
    expect(listExcluded([], people)).toEqual([]);
    expect(listExcluded(["starter"], { ...people, starters: [] })).toBeUndefined();
    expect(listExcluded(["starter"], { ...people, starters: ["ada", "unknown"] })).toBeUndefined();
    expect(listExcluded(["editor"], { ...people, starters: [] })).toEqual(["cleo", "ada"]);
    expect(readExclude({ exclude: ["editor", "grantor", "starter"] })).toEqual(EXCLUSIONS);
    expect([readExclude({}), readExclude({ exclude: "starter" })]).toEqual([[], []]);
  });
});

describe("an answer", () => {
  const asked = (content: JsonObject = {}) =>
    event("question.asked", { sequence: 4, hash: "h4", content: { to: "person", ...content } });
  const said = (content: JsonObject = {}, kind: RawEvent["actor"]["kind"] = "person") =>
    event("question.answered", {
      actor: { kind, id: "ada" },
      content: { question: 4, hash: "h4", roles: ["finance"], receivedAt: askedAt, ...content },
    });

  test.each<[string, RawEvent, RawEvent]>([
    ["by anybody, at any time", asked(), said({ roles: [], receivedAt: late })],
    [
      "by whoever has the role, in time",
      asked({ role: "finance", decideBy }),
      said({ receivedAt: decideBy }),
    ],
    ["by an agent, where one is asked", asked({ to: "agent" }), said({}, "agent")],
  ])("%s", (_, question, answer) => {
    expect(answersQuestion(question, answer)).toBe(true);
  });

  test.each<[string, RawEvent, RawEvent]>([
    ["of another question", asked(), said({ question: 5 })],
    ["of another hash", asked(), said({ hash: "h5" })],
    ["without the role", asked({ role: "legal" }), said()],
    ["too late", asked({ decideBy }), said({ receivedAt: late })],
    ["at no time", asked(), said({ receivedAt: 7 })],
    ["by an agent to a person's question", asked(), said({}, "agent")],
    ["by a person to an agent's", asked({ to: "agent" }), said()],
    ["by the kernel", asked(), said({}, "kernel")],
    ["to a question for nobody", asked({ to: null }), said()],
    ["by nobody", asked(), { ...said(), actor: { kind: "person", id: "" } }],
    ["to an approval", request(), said({ approval: 4 })],
  ])("is none %s", (_, question, answer) => {
    expect(answersQuestion(question, answer)).toBe(false);
  });
});
