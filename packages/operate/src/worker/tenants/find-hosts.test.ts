import type { RegisteredTenant } from "@turnseal/adapters/postgres";
import { expect, test } from "vitest";
import { TENANTS_KEPT_MAX } from "./create-recent.ts";
import { findHosts } from "./find-hosts.ts";
import { TENANT_KEPT_MS } from "./open-tenants.ts";

/** A database that names some tenants, and a time that stands still. */
function openList(named?: readonly string[]) {
  const states = new Map<string, RegisteredTenant["state"]>();
  const asked: string[] = [];
  const opened: string[] = [];
  const place = { nowMs: 0, isAway: false };
  const find = findHosts(
    {
      named,
      readTenant: async (name) => {
        asked.push(name);
        if (place.isAway) throw new Error("the database is away");
        const state = states.get(name);
        const rest = { weight: 1, limits: {}, changedAt: "", changedBy: "ada" };
        return state === undefined ? undefined : { name, state, ...rest };
      },
      open: (tenant) => {
        opened.push(tenant);
        return { tenant, number: opened.length };
      },
    },
    () => place.nowMs,
  );
  return { states, asked, opened, place, find };
}

test("who is added is served within TENANT_KEPT_MS, and who is deleted is not", async () => {
  const { states, place, find } = openList();
  expect(await find("acme")).toBeUndefined();
  states.set("acme", "active");
  place.nowMs = TENANT_KEPT_MS - 1;
  expect(await find("acme")).toBeUndefined();
  place.nowMs = TENANT_KEPT_MS;
  expect(await find("acme")).toEqual({ tenant: "acme", number: 1 });
  states.delete("acme");
  place.nowMs = 2 * TENANT_KEPT_MS;
  expect(await find("acme")).toBeUndefined();
  // A tenant that comes back under the name is another one.
  states.set("acme", "active");
  place.nowMs = 3 * TENANT_KEPT_MS;
  expect(await find("acme")).toEqual({ tenant: "acme", number: 2 });
});

test("one that is suspended is served, with the host that it had", async () => {
  const { states, place, find, opened } = openList();
  states.set("acme", "active");
  const before = await find("acme");
  states.set("acme", "suspended");
  place.nowMs = TENANT_KEPT_MS;
  expect(await find("acme")).toBe(before);
  expect(opened).toEqual(["acme"]);
});

test("many who come at once have one host, and the database is asked once", async () => {
  const { states, find, asked } = openList();
  states.set("acme", "active");
  const found = await Promise.all(Array.from({ length: 20 }, () => find("acme")));
  expect(new Set(found).size).toBe(1);
  expect(asked).toEqual(["acme"]);
});

test("while the database is away nobody is taken for unknown, nor let in", async () => {
  const { states, place, find } = openList();
  states.set("acme", "active");
  place.isAway = true;
  await expect(find("acme")).rejects.toThrow("away");
  place.isAway = false;
  expect(await find("acme")).toMatchObject({ tenant: "acme" });
});

test("what is no name of a tenant is not asked for", async () => {
  const { find, asked } = openList();
  for (const name of ["", "a b", "\0", "x".repeat(10_000)])
    expect(await find(name)).toBeUndefined();
  expect(asked).toEqual([]);
});

test("those that were named are served whatever the database says, and nobody else", async () => {
  const { states, find, asked } = openList(["acme", "beta"]);
  states.set("gamma", "active");
  expect(await find("acme")).toMatchObject({ tenant: "acme" });
  expect(await find("beta")).toMatchObject({ tenant: "beta" });
  expect(await find("gamma")).toBeUndefined();
  expect(asked).toEqual([]);
});

test("TENANTS_KEPT_MAX hosts are kept, and whoever was asked for longest ago goes", async () => {
  const names = Array.from({ length: TENANTS_KEPT_MAX + 1 }, (_, at) => `t${at}`);
  const { find, opened } = openList(names);
  for (const name of names) await find(name);
  await find(names.at(-1) ?? "");
  expect(opened).toHaveLength(TENANTS_KEPT_MAX + 1);
  await find("t0");
  expect(opened).toHaveLength(TENANTS_KEPT_MAX + 2);
});
