import { HostError } from "@turnseal/host";
import { StoreError } from "@turnseal/ports";
import { expect, test } from "vitest";
import { refuse, SERVER_ERROR_CODES, toRefusal, toResponse } from "./refusal.ts";

test.each(SERVER_ERROR_CODES)("%s has a status, and words that repeat nothing", async (code) => {
  const response = toResponse(refuse(code));
  expect(response.status).toBeGreaterThanOrEqual(400);
  expect(await response.json()).toMatchObject({ error: { code, message: expect.any(String) } });
});

test("what a host refuses keeps its code; what is no business of the caller does not", () => {
  expect(toRefusal(new HostError("ROLE_MISSING", "no role"))).toMatchObject({
    status: 403,
    code: "ROLE_MISSING",
  });
  expect(toRefusal(new HostError("SIGNALS_FULL", "full", "retry"))).toMatchObject({ status: 429 });
  const away = new StoreError("STORE_UNREACHABLE", "10.0.0.7 is away");
  expect(toRefusal(away)).toEqual({
    status: 503,
    code: "STORE_UNREACHABLE",
    message: "try again later",
  });
  const grant = toRefusal(new HostError("GRANT_REFUSED", "the grant names 10.0.0.7"));
  expect(grant).toMatchObject({ status: 409, code: "GRANT_REFUSED" });
  expect(JSON.stringify(grant)).not.toContain("10.0.0.7");
  for (const thrown of [new Error("10.0.0.7"), "10.0.0.7"]) {
    expect(toRefusal(thrown)).toMatchObject({ status: 500, code: "SERVER_FAILED" });
    expect(JSON.stringify(toRefusal(thrown))).not.toContain("10.0.0.7");
  }
});
