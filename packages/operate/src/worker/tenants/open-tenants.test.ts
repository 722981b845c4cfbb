import type { StoredTenant } from "@turnseal/adapters/postgres";
import { expect, test } from "vitest";
import { TENANTS_KEPT_MAX } from "./create-recent.ts";
import { fixedTenants, recentTenants, TENANT_KEPT_MS } from "./open-tenants.ts";

/** A database with some tenants, which counts its reads. */
function createPool(states: Readonly<Record<string, StoredTenant["state"]>>) {
  const asked: string[] = [];
  const failing = new Set<string>();
  const readTenant = async (name: string): Promise<StoredTenant | undefined> => {
    asked.push(name);
    if (failing.has(name)) throw new Error("the database is away");
    const state = Object.hasOwn(states, name) ? states[name] : undefined;
    const said = { name, changedAt: "", changedBy: "ada" };
    if (state === undefined) return undefined;
    return state === "unreadable" ? { ...said, state } : { ...said, state, weight: 1, limits: {} };
  };
  return { pool: { readTenant }, asked, failing };
}

test("a tenant is asked for once in TENANT_KEPT_MS, and a change is seen then", async () => {
  const states: Record<string, StoredTenant["state"]> = { acme: "active" };
  const { pool, asked } = createPool(states);
  let nowMs = 0;
  const find = recentTenants(pool, () => nowMs);
  expect(await Promise.all([find("acme"), find("acme"), find("nobody")])).toEqual([
    ...["active", "active"],
    undefined,
  ]);
  expect(asked).toEqual(["acme", "nobody"]);
  states["acme"] = "suspended";
  nowMs = TENANT_KEPT_MS - 1;
  expect(await find("acme")).toBe("active");
  nowMs = TENANT_KEPT_MS;
  expect(await find("acme")).toBe("suspended");
});

test("a database that is away is asked again, and nobody is taken for unknown", async () => {
  const { pool, failing, asked } = createPool({ acme: "active" });
  const find = recentTenants(pool, () => 0);
  failing.add("acme");
  await expect(find("acme")).rejects.toThrow("away");
  failing.delete("acme");
  expect(await find("acme")).toBe("active");
  expect(asked).toHaveLength(2);
});

test("TENANTS_KEPT_MAX tenants are remembered, and one more forgets the oldest", async () => {
  const { pool, asked } = createPool({});
  const find = recentTenants(pool, () => 0);
  for (let at = 0; at < TENANTS_KEPT_MAX; at++) await find(`t${at}`);
  await find("t0");
  expect(asked).toHaveLength(TENANTS_KEPT_MAX);
  await find("one-more");
  await find("t0");
  expect(asked).toHaveLength(TENANTS_KEPT_MAX + 2);
});

test("one whose limits are unknown is served by nobody, also where it was named", async () => {
  const { pool } = createPool({ acme: "unreadable", beta: "suspended" });
  const known = recentTenants(pool, () => 0);
  expect(await known("acme")).toBe("unreadable");
  const fixed = fixedTenants(["acme", "beta", "gamma"], known);
  expect(await fixed("acme")).toBe("unreadable");
  expect([await fixed("beta"), await fixed("gamma")]).toEqual(["active", "active"]);
  expect(await fixed("delta")).toBeUndefined();
});
