import { describe, expect, test } from "vitest";
import {
  admitTool,
  GRANT_NAME_LENGTH_MAX,
  GRANT_TOOLS_MAX,
  type Grant,
  parseGrant,
  readGrant,
} from "./grant.ts";

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
    expect(readGrant(undefined)).toBeUndefined();
  });
});

describe("admitting a tool", () => {
  const expiring = { ...grant, expiresAt: "2030-01-31T00:00:00.000Z" };
  const expiresMs = Date.parse(expiring.expiresAt);

  test("a tool of the grant is admitted until it expires", () => {
    expect(admitTool(grant, "local.pay", Number.MAX_SAFE_INTEGER)).toBeUndefined();
    expect(admitTool(expiring, "local.pay", expiresMs - 1)).toBeUndefined();
  });

  test("from the moment of expiry nothing is admitted", () => {
    expect(admitTool(expiring, "local.pay", expiresMs)).toBe("grant-expired");
  });

  test("another tool is not, nor one whose name begins alike", () => {
    for (const tool of ["local.refund", "local.pay.all", "local.pa", "", "length"]) {
      expect(admitTool(grant, tool, 0)).toBe("tool-not-granted");
    }
  });

  test("an expiry that cannot be read has passed", () => {
    expect(admitTool({ ...grant, expiresAt: "never" }, "local.pay", 0)).toBe("grant-expired");
  });
});
