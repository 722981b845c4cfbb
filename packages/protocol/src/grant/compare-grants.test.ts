import { describe, expect, test } from "vitest";
import { digestOf } from "../digest.ts";
import { attenuate, checkProof } from "./attenuate.ts";
import { compareGrants, GRANT_STEPS_MAX, WIDENINGS } from "./compare-grants.ts";
import { type Grant, HANDOFF_DEPTH_DEFAULT } from "./grant.ts";
import type { Term } from "./term.ts";

const outer: Grant = {
  grantor: "alice",
  tools: ["local.pay", "local.read"],
  budget: { toolCalls: 3, turns: 2 },
  expiresAt: "2030-01-31T00:00:00.000Z",
};

describe("a grant without terms", () => {
  test.each<[string, Partial<Grant>]>([
    ["the same grant", {}],
    ["fewer tools", { tools: ["local.read"] }],
    ["no tools", { tools: [] }],
    ["lower caps", { budget: { toolCalls: 0, turns: 1 } }],
    ["a cap where there was none", { budget: { ...outer.budget, effects: 1 } }],
    ["a cap for a day where there was none", { perPeriod: { day: { "payments.cents": 1 } } }],
    ["caps for no period", { perPeriod: {} }],
    ["an earlier end", { expiresAt: "2029-12-31T23:59:59.999Z" }],
    ["no levels below", { depth: 0 }],
    ["the levels that are there by default", { depth: HANDOFF_DEPTH_DEFAULT }],
  ])("%s is within", (_, fields) => {
    expect(compareGrants({ ...outer, ...fields }, outer).kind).toBe("within");
  });

  test.each<[string, Partial<Grant>, string]>([
    ["another grantor", { grantor: "bob" }, "grantor"],
    ["another tool", { tools: ["local.refund"] }, "tools"],
    ["a tool more", { tools: [...outer.tools, "local.refund"] }, "tools"],
    ["a scope", { scopes: ["repo:read"] }, "scopes"],
    ["a handoff", { handoffs: ["review"] }, "handoffs"],
    ["a level more", { depth: HANDOFF_DEPTH_DEFAULT + 1 }, "depth"],
    ["a higher cap", { budget: { toolCalls: 4, turns: 2 } }, "budget"],
    ["a cap left out", { budget: { toolCalls: 3 } }, "budget"],
    ["a later end", { expiresAt: "2030-01-31T00:00:00.001Z" }, "expiry"],
  ])("%s is wider", (_, fields, code) => {
    expect(compareGrants({ ...outer, ...fields }, outer)).toEqual({ kind: "wider", code });
  });

  test("no end is later than any end", () => {
    const { expiresAt: _, ...endless } = outer;
    expect(compareGrants(endless, outer)).toEqual({ kind: "wider", code: "expiry" });
    expect(compareGrants(outer, endless).kind).toBe("within");
  });

  test("a cap for one call or for a day that is left out is wider", () => {
    const capped: Grant = {
      ...outer,
      perCall: { effects: 1 },
      perPeriod: { day: { effects: 2 }, month: { effects: 9 } },
    };
    expect(compareGrants({ ...outer, perPeriod: { ...capped.perPeriod } }, capped)).toMatchObject({
      code: "per-call",
    });
    expect(compareGrants({ ...outer, perCall: { effects: 1 } }, capped)).toMatchObject({
      code: "per-period",
    });
  });
});

const term: Term = {
  id: "repo",
  family: "github_repo",
  resource: "github:acme/shop",
  verbs: ["read", "write"],
  capabilities: [],
  bounds: { paths: ["src/**"] },
  conditions: [],
  approvals: [],
};

describe("terms", () => {
  const wide: Grant = {
    ...outer,
    terms: [{ ...term, id: "docs", bounds: { paths: ["docs/**"] } }, term],
  };

  test("a proof names the term that each term is within", () => {
    const narrow = { ...term, id: "child", bounds: { paths: ["src/a/**"] } };
    expect(compareGrants({ ...outer, terms: [narrow, term] }, wide)).toEqual({
      kind: "within",
      proof: {
        algorithm: "turnseal.subset.v1",
        result: "subset",
        compared: [
          { child: "child", parent: "repo", relation: "subset" },
          { child: "repo", parent: "repo", relation: "equal" },
        ],
        parentDigest: digestOf(wide),
      },
    });
  });

  test("what is spread over two terms is within neither", () => {
    const both = { ...term, bounds: { paths: ["src/a", "docs/a"] } };
    expect(compareGrants({ ...outer, terms: [both] }, wide)).toEqual({
      kind: "wider",
      code: "bounds",
    });
  });

  test("of several terms the nearest says what is wrong", () => {
    const other = { ...term, id: "other", resource: "github:acme/other" };
    const asked = { ...term, verbs: ["merge"] };
    expect(compareGrants({ ...outer, terms: [asked] }, { ...outer, terms: [term, other] })).toEqual(
      { kind: "wider", code: "verbs" },
    );
  });
});

test("more than GRANT_STEPS_MAX steps are not taken: what is left undecided is wider", () => {
  expect(GRANT_STEPS_MAX).toBe(500_000);
  const wide = `${"*ab".repeat(12)}*`;
  const parent: Grant = { ...outer, terms: [{ ...term, bounds: { paths: [wide] } }] };
  const ask = (count: number): Grant => ({
    ...outer,
    terms: Array.from({ length: count }, (_, index) => ({
      ...term,
      id: `t${index}`,
      bounds: { paths: Array.from({ length: 16 }, (_item, place) => `${index}x${place}${wide}`) },
    })),
  });
  expect(compareGrants(ask(2), parent).kind).toBe("within");
  const before = performance.now();
  expect(compareGrants(ask(40), parent)).toEqual({ kind: "wider", code: "bounds" });
  expect(performance.now() - before).toBeLessThan(10_000);
});

describe("a proof", () => {
  const parent: Grant = { ...outer, terms: [term] };
  const { id: _, ...content } = term;
  const made = attenuate(parent, {
    tools: ["local.read"],
    terms: [{ ...content, verbs: ["read"] }],
  });
  if (made.kind !== "attenuated") throw new Error(made.code);
  const { grant, proof } = made;

  test("that was computed is proven", () => {
    expect(checkProof(proof, grant, parent)).toEqual({ kind: "proven" });
  });

  test.each<[string, unknown]>([
    ["none", undefined],
    ["null", null],
    ["a word", "subset"],
    ["another algorithm", { ...proof, algorithm: "trust.me.v1" }],
    ["another parent", { ...proof, parentDigest: digestOf(outer) }],
    ["a term less", { ...proof, compared: [] }],
    ["another relation", { ...proof, compared: [{ ...proof.compared[0], relation: "equal" }] }],
    ["a field more", { ...proof, checkedBy: "the model" }],
    ["what is no JSON", { ...proof, checkedBy: undefined }],
  ])("of another kind is forged: %s", (_description, forged) => {
    expect(checkProof(forged, grant, parent)).toEqual({ kind: "forged" });
  });

  test("does not help a grant that is wider", () => {
    const wider: Grant = { ...grant, tools: ["local.refund"] };
    expect(checkProof(proof, wider, parent)).toEqual({ kind: "wider", code: "tools" });
  });

  test("is forged when a term has another name than its content gives", () => {
    const renamed: Grant = {
      ...grant,
      terms: (grant.terms ?? []).map((one) => ({ ...one, id: "repo" })),
    };
    const comparison = compareGrants(renamed, parent);
    const stated = comparison.kind === "within" ? comparison.proof : undefined;
    expect(stated).toBeDefined();
    expect(checkProof(stated, renamed, parent)).toEqual({ kind: "forged" });
  });
});

test("the list of widenings names each once", () => {
  expect(new Set(WIDENINGS).size).toBe(WIDENINGS.length);
});
