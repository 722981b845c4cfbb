import { HostError } from "@turnseal/host";
import { StoreError } from "@turnseal/ports";
import { SESSION_ERROR_CODES } from "@turnseal/sessions";
import { expect, test } from "vitest";
import { refuse, SERVER_ERROR_CODES, toRefusal, toResponse } from "./refusal.ts";

test.each([...SERVER_ERROR_CODES, ...SESSION_ERROR_CODES])(
  "%s has a status, and words that repeat nothing",
  async (code) => {
    const response = toResponse(refuse(code));
    expect(response.status).toBeGreaterThanOrEqual(400);
    expect(await response.json()).toMatchObject({ error: { code, message: expect.any(String) } });
  },
);

test("what a host refuses keeps its code; what is no business of the caller does not", () => {
  const answer = (thrown: unknown) => toResponse(toRefusal(thrown)).status;
  expect(answer(new HostError("ROLE_MISSING", "no role"))).toBe(403);
  expect(toRefusal(new HostError("ROLE_MISSING", "no role")).code).toBe("ROLE_MISSING");
  expect(answer(new HostError("SIGNALS_FULL", "full", "retry"))).toBe(429);
  const away = new StoreError("STORE_UNREACHABLE", "10.0.0.7 is away");
  expect(answer(away)).toBe(503);
  expect(toRefusal(away)).toEqual({
    code: "STORE_UNREACHABLE",
    message: "try again later",
  });
  const grant = toRefusal(new HostError("GRANT_REFUSED", "the grant names 10.0.0.7"));
  expect(toResponse(grant).status).toBe(409);
  expect(grant.code).toBe("GRANT_REFUSED");
  expect(JSON.stringify(grant)).not.toContain("10.0.0.7");
  for (const thrown of [new Error("10.0.0.7"), "10.0.0.7"]) {
    expect(toRefusal(thrown)).toMatchObject({ code: "SERVER_FAILED" });
    expect(answer(thrown)).toBe(500);
    expect(JSON.stringify(toRefusal(thrown))).not.toContain("10.0.0.7");
  }
});
