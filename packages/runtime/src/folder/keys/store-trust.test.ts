import type { NotedKey } from "@turnseal/adapters/postgres";
import type { PublicKey } from "@turnseal/protocol/receipts";
import { expect, test } from "vitest";
import { joinTrust, renderTrust } from "./store-trust.ts";

const at = "2026-01-01T00:00:00.000Z";
const key = (keyId: string, validFrom = at): PublicKey => ({
  ...{ keyId, x: `x-${keyId}`, issuer: "hosted", validFrom },
});
const noted = (keyId: string, more: Partial<NotedKey> = {}): NotedKey => ({
  ...key(keyId),
  ...{ tenant: null, state: "noted", notedAt: at, notedBy: "worker-1" },
  ...{ decidedAt: null, decidedBy: null, ...more },
});
const decided = (keyId: string, state: NotedKey["state"], tenant: string | null = null) =>
  noted(keyId, { state, tenant, decidedAt: at, decidedBy: "ada" });

test("keys of the folder count as before, and those of the database once they are trusted", () => {
  const { keys, untrusted } = joinTrust(
    [key("own")],
    [noted("new"), decided("good", "trusted"), decided("bad", "distrusted")],
  );
  expect(keys).toEqual([key("good"), key("own")]);
  expect([...(untrusted ?? [])]).toEqual([
    ["new", "the key new was noted by worker-1, and is not trusted: turnseal keys trust new"],
    ["bad", `the key bad was distrusted by ada at ${at}`],
  ]);
});

test("a note of a key of the folder changes nothing of it, and a decision does", () => {
  const own = key("own", "1970-01-01T00:00:00.000Z");
  expect(joinTrust([own], [noted("own")]).keys).toEqual([own]);
  const ended = { ...decided("own", "trusted"), validUntil: "2027-01-01T00:00:00.000Z" };
  expect(joinTrust([own], [ended]).keys).toEqual([{ ...key("own"), validUntil: ended.validUntil }]);
});

test("a key that somebody has distrusted is not trusted from the folder either", () => {
  expect(joinTrust([key("own")], [decided("own", "distrusted")]).keys).toEqual([]);
});

test("a key that is distrusted for all, or for a tenant, is not trusted for the other", () => {
  const forAll = [decided("own", "distrusted"), decided("own", "trusted", "acme")];
  const forOne = [decided("own", "trusted"), decided("own", "distrusted", "acme")];
  for (const both of [forAll, forOne]) {
    const { keys, untrusted } = joinTrust([key("own")], both);
    expect(keys).toEqual([]);
    expect(untrusted?.get("own")).toContain("was distrusted by ada");
  }
});

test("nobody is told to trust what somebody has distrusted", () => {
  const { untrusted } = joinTrust([], [decided("k", "distrusted"), noted("k", { tenant: "acme" })]);
  expect(untrusted?.get("k")).toContain("was distrusted by ada");
});

test("the time that is trusted for a tenant goes before the one for all", () => {
  const narrow = { ...decided("k", "trusted", "acme"), validUntil: "2027-01-01T00:00:00.000Z" };
  expect(joinTrust([], [decided("k", "trusted"), narrow]).keys).toEqual([
    { ...key("k"), validUntil: narrow.validUntil },
  ]);
});

test("the command names the tenant of a key that is a tenant's", () => {
  expect(renderTrust(noted("k", { tenant: "acme" }))).toBe("turnseal keys trust k --tenant acme");
});
