import { describe, expect, test } from "vitest";
import { NAMED_UNITS_MAX } from "../budget/budget.ts";
import { canonicalize } from "../canonical-json.ts";
import { OPEN_NAME_LENGTH_MAX } from "../namespaced.ts";
import { CONDITION_LENGTH_MAX } from "../policy/policy.ts";
import { GRANT_NAME_LENGTH_MAX } from "../tool-reference.ts";
import { TERM_LIST_MAX } from "./bounds.ts";
import {
  GRANT_HANDOFFS_MAX,
  GRANT_LENGTH_MAX,
  GRANT_SCOPES_MAX,
  GRANT_TERMS_MAX,
  GRANT_TOOLS_MAX,
  type Grant,
  HANDOFF_DEPTH_MAX,
  parseGrant,
  parseGrantRequest,
  readGrant,
} from "./grant.ts";
import type { Term } from "./term.ts";

const grant: Grant = { grantor: "alice", tools: ["local.pay"], budget: { toolCalls: 3 } };

describe("reading a grant from outside", () => {
  test("a grant is taken as it is", () => {
    expect(parseGrant(grant)).toEqual(grant);
  });

  test("a time is brought into the form of records", () => {
    const parsed = parseGrant({ ...grant, expiresAt: "2030-01-31T00:00:00Z" });
    expect(parsed).toEqual({ ...grant, expiresAt: "2030-01-31T00:00:00.000Z" });
  });

  test.each([
    [null, "a grant is an object"],
    [[], "a grant is an object"],
    [{ ...grant, scope: "all" }, "`scope` is not a field of a grant"],
    [{ ...grant, grantor: "" }, "`grantor` names who gives it"],
    [{ ...grant, grantor: "a\0b" }, "`grantor` names who gives it"],
    [{ ...grant, handoffs: ["a\0b"] }, "`handoffs` is a list"],
    [{ ...grant, grantor: undefined }, "`grantor` names who gives it"],
    [{ ...grant, tools: "local.pay" }, "`tools` is a list"],
    [{ ...grant, tools: [1] }, "`tools` is a list"],
    [{ ...grant, tools: [""] }, "`tools` is a list"],
    [{ ...grant, budget: undefined }, "`budget` holds whole numbers"],
    [{ ...grant, budget: { toolCalls: -1 } }, "`budget` holds whole numbers"],
    [{ ...grant, budget: { wishes: 3 } }, "`budget` holds whole numbers"],
    [{ ...grant, expiresAt: "tomorrow" }, "`expiresAt` is an ISO 8601 time in UTC"],
    [{ ...grant, expiresAt: null }, "`expiresAt` is an ISO 8601 time in UTC"],
  ])("%j is refused: %s", (value, problem) => {
    expect(parseGrant(value)).toEqual({ problem: expect.stringContaining(problem) });
  });

  const term: Term = {
    id: "repo",
    family: "github_repo",
    resource: "github:acme/shop",
    verbs: ["read", "acme.sign"],
    capabilities: ["network_egress"],
    bounds: { paths: ["src/**"], limits: { fanout: 2, "acme.lines": 3 } },
    conditions: ["args.size < 100"],
    approvals: ["maintainer"],
    expiresAt: "2030-01-31T00:00:00.000Z",
  };
  const whole: Grant = {
    ...grant,
    scopes: ["repo:*"],
    terms: [term],
    handoffs: ["review"],
    depth: 0,
    perCall: { "payments.cents": 500 },
    perPeriod: { hour: { effects: 5 }, month: { moneyMicros: 9 } },
  };

  test.each(["args.grant == 1", "args.to == 'grant'", 'args.to == "a\\"grant"', "args.grants > 2"])(
    "a condition may have a field or a text that is called grant: %s",
    (condition) => {
      const terms = [{ ...term, conditions: [condition] }];
      expect(parseGrant({ ...whole, terms })).toHaveProperty("terms", terms);
    },
  );

  test("every field is read, and is itself in the record", () => {
    expect(parseGrant(whole)).toEqual(whole);
    expect(readGrant(whole)).toEqual(whole);
  });

  test("only the host's own may give every scope", () => {
    const every = { ...grant, scopes: ["*"] };
    expect(parseGrant(every)).toHaveProperty("problem");
    expect(parseGrant(every, { isFirstParty: true })).toEqual(every);
    expect(parseGrantRequest(every)).toHaveProperty("problem");
  });

  test.each<[object, string]>([
    [{ scopes: "repo:read" }, "`scopes` is a list"],
    [{ scopes: ["repo:*:keys"] }, "`scopes` is a list"],
    [{ handoffs: [""] }, "`handoffs` is a list"],
    [{ depth: -1 }, "`depth` is a whole number"],
    [{ depth: 1.5 }, "`depth` is a whole number"],
    [{ perCall: { wishes: 1 } }, "`perCall` holds whole numbers"],
    [{ perPeriod: { week: { "payments.cents": -1 } } }, "`perPeriod.week` holds whole numbers"],
    [{ perPeriod: { day: undefined } }, "`perPeriod.day` holds whole numbers"],
    [{ perPeriod: { year: {} } }, "`perPeriod` holds caps by `hour`"],
    [{ perPeriod: { effects: 5 } }, "`perPeriod` holds caps by `hour`"],
    [{ perPeriod: [] }, "`perPeriod` holds caps by `hour`"],
    [{ perDay: { effects: 5 } }, "`perDay` is not a field of a grant"],
    [{ terms: {} }, "`terms` is a list"],
    [{ terms: [null] }, "term 0: it is an object"],
    [{ terms: [{ ...term, id: undefined }] }, "`id` names a term"],
    [{ terms: [{ ...term, id: "" }] }, "term 0: `id` names it"],
    [{ terms: [term, term] }, "`id` names one term"],
    [{ terms: [{ ...term, owner: "me" }] }, "`owner` is not a field of a term"],
    [{ terms: [{ ...term, family: "github" }] }, "`family` is a known family"],
    [{ terms: [{ ...term, family: "Acme.repo" }] }, "`family` is a known family"],
    [{ terms: [{ ...term, resource: "" }] }, "`resource` is the address"],
    [{ terms: [{ ...term, verbs: ["fetch"] }] }, "`verbs` is a list"],
    [{ terms: [{ ...term, verbs: undefined }] }, "`verbs` is a list"],
    [{ terms: [{ ...term, capabilities: ["all"] }] }, "`capabilities` is a list"],
    [{ terms: [{ ...term, bounds: undefined }] }, "`bounds` is an object"],
    [{ terms: [{ ...term, bounds: { speed: 1 } }] }, "`speed` is not a bound"],
    [{ terms: [{ ...term, bounds: { paths: "src/**" } }] }, "`paths` is a list"],
    [{ terms: [{ ...term, bounds: { paths: ["src/{a,b}"] } }] }, "`paths` is a list"],
    [{ terms: [{ ...term, bounds: { environments: ["test"] } }] }, "github_repo has no"],
    [{ terms: [{ ...term, bounds: { limits: { speed: 1 } } }] }, "`limits` holds whole numbers"],
    [{ terms: [{ ...term, bounds: { limits: { fanout: -1 } } }] }, "`limits` holds whole numbers"],
    [{ terms: [{ ...term, conditions: [""] }] }, "`conditions` is a list"],
    [{ terms: [{ ...term, conditions: ["has(grant.expiresAt)"] }] }, "do not look at the grant"],
    [{ terms: [{ ...term, conditions: ["'a\\'' != grant.grantor"] }] }, "do not look at the grant"],
    [{ terms: [{ ...term, approvals: [7] }] }, "`approvals` is a list"],
    [{ terms: [{ ...term, approvals: ["main\0tainer"] }] }, "`approvals` is a list"],
    [{ terms: [{ ...term, expiresAt: "soon" }] }, "`expiresAt` is an ISO 8601 time"],
  ])("%j is refused: %s", (fields, problem) => {
    expect(parseGrant({ ...grant, ...fields })).toEqual({
      problem: expect.stringContaining(problem),
    });
  });

  const many = (count: number, name: string) =>
    Array.from({ length: count }, (_, index) => `${name}${index}`);
  const withTerm = (fields: Partial<Term>) => ({ terms: [{ ...term, ...fields }] });

  test.each<[string, number, (count: number) => object]>([
    ["GRANT_SCOPES_MAX", GRANT_SCOPES_MAX, (count) => ({ scopes: many(count, "repo:") })],
    ["GRANT_HANDOFFS_MAX", GRANT_HANDOFFS_MAX, (count) => ({ handoffs: many(count, "loop") })],
    [
      "GRANT_TERMS_MAX",
      GRANT_TERMS_MAX,
      (count) => ({ terms: many(count, "term").map((id) => ({ ...term, id })) }),
    ],
    ["HANDOFF_DEPTH_MAX", HANDOFF_DEPTH_MAX, (count) => ({ depth: count })],
    ["TERM_LIST_MAX verbs", TERM_LIST_MAX, (count) => withTerm({ verbs: many(count, "acme.v") })],
    [
      "TERM_LIST_MAX paths",
      TERM_LIST_MAX,
      (count) => withTerm({ bounds: { paths: many(count, "src/") } }),
    ],
    [
      "TERM_LIST_MAX limits",
      TERM_LIST_MAX,
      (count) =>
        withTerm({
          bounds: { limits: Object.fromEntries(many(count, "acme.n").map((name) => [name, 1])) },
        }),
    ],
    [
      "CONDITION_LENGTH_MAX",
      CONDITION_LENGTH_MAX,
      (count) => withTerm({ conditions: ["x".repeat(count)] }),
    ],
    [
      "OPEN_NAME_LENGTH_MAX",
      OPEN_NAME_LENGTH_MAX,
      (count) => withTerm({ family: `a.${"b".repeat(count - 2)}`, bounds: {} }),
    ],
    [
      "NAMED_UNITS_MAX",
      NAMED_UNITS_MAX,
      (count) => ({
        perCall: Object.fromEntries(many(count, "acme.unit").map((unit) => [unit, 1])),
      }),
    ],
  ])("%s is taken, one more is refused", (_, most, fields) => {
    expect(parseGrant({ ...grant, ...fields(most) })).not.toHaveProperty("problem");
    expect(parseGrant({ ...grant, ...fields(most + 1) })).toHaveProperty("problem");
  });

  test("a grant may have GRANT_LENGTH_MAX characters in all, one more is refused", () => {
    const terms = many(GRANT_TERMS_MAX, "term").map((id) => ({ ...term, id, conditions: [""] }));
    const pad = (length: number) => ({
      ...grant,
      terms: terms.map((one, index) => {
        const room = Math.floor(length / terms.length) + (index < length % terms.length ? 1 : 0);
        return { ...one, conditions: ["x".repeat(room)] };
      }),
    });
    const empty = canonicalize({ ...grant, terms }).length;
    expect(parseGrant(pad(GRANT_LENGTH_MAX - empty))).not.toHaveProperty("problem");
    expect(parseGrant(pad(GRANT_LENGTH_MAX - empty + 1))).toEqual({
      problem: `a grant has at most ${GRANT_LENGTH_MAX} characters`,
    });
  });

  test("GRANT_TOOLS_MAX tools may be named, one more is refused", () => {
    const tools = Array.from({ length: GRANT_TOOLS_MAX }, (_, index) => `local.tool${index}`);
    expect(parseGrant({ ...grant, tools })).not.toHaveProperty("problem");
    expect(parseGrant({ ...grant, tools: [...tools, "local.more"] })).toHaveProperty("problem");
  });

  test("a name may have GRANT_NAME_LENGTH_MAX characters, one more is refused", () => {
    for (const letter of ["a", "💡"]) {
      const grantor = letter.repeat(GRANT_NAME_LENGTH_MAX);
      expect(parseGrant({ ...grant, grantor })).not.toHaveProperty("problem");
      expect(parseGrant({ ...grant, grantor: grantor + letter })).toHaveProperty("problem");
    }
  });
});

describe("reading a grant from the record", () => {
  test("what was recorded in its one form is read", () => {
    const recorded = { ...grant, expiresAt: "2030-01-31T00:00:00.000Z" };
    expect(readGrant(recorded)).toEqual(recorded);
  });

  test("a time in another form, or anything else, allows nothing", () => {
    expect(readGrant({ ...grant, expiresAt: "2030-01-31T00:00:00Z" })).toBeUndefined();
    expect(readGrant({ ...grant, expiresAt: null })).toBeUndefined();
    expect(readGrant({ ...grant, scopes: ["repo:read", "repo:read"] })).toBeUndefined();
    expect(readGrant({ ...grant, tools: new Array(1) })).toBeUndefined();
    expect(readGrant(undefined)).toBeUndefined();
  });
});
