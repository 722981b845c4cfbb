/** Tenants on one server: none shares a limit with another, and none hears another. */
import { type LimitAnswer, type LimitRequest, manualClock } from "@turnseal/ports";
import type { LiveDelta } from "@turnseal/protocol/streaming";
import { expect, test } from "vitest";
import type { RedisTenant } from "./open-redis.ts";
import { openScratchRedis, until } from "./scratch-redis.test.data.ts";

/** The same for every tenant: of a start key, the same run follows. */
const RUN = "00000000-0000-4000-8000-000000000001";

function say({ live }: RedisTenant, text: string): void {
  live.publish({
    ...{ run: RUN, turn: 1, kind: "text", key: text, part: 0, epoch: 1, offset: 0, text },
  });
}

async function listen({ live }: RedisTenant) {
  const heard: string[] = [];
  const delta = ({ text }: LiveDelta): void => void heard.push(text);
  const watch = live.watch(RUN, { delta, moved: () => void heard.push("moved") });
  await watch.ready;
  return heard;
}

const take = async ({ rateLimits }: RedisTenant, name = "chat"): Promise<string> =>
  (await rateLimits.take({ name, holder: "somebody", holdMs: 60_000, inFlight: 1 })).kind;

test("two tenants do not hear each other, whoever was there first", async () => {
  const redis = await (await openScratchRedis()).open();
  const [alpha, beta] = [redis.forTenant("alpha"), redis.forTenant("beta")];
  const early = await listen(beta);
  say(alpha, "of alpha");
  alpha.live.moved(RUN);
  // A late watcher gets only pieces of its own tenant.
  const late = await listen(beta);
  const own = await listen(alpha);
  say(beta, "of beta");
  await until(() => early.length > 0 && late.length > 0);
  alpha.live.finish({ run: RUN, key: "of beta" });
  say(alpha, "more of alpha");
  await until(() => own.includes("more of alpha"));
  expect(early).toEqual(["of beta"]);
  expect(late).toEqual(["of beta"]);
  expect(own).toEqual(["of alpha", "more of alpha"]);
  // Finishing a message of one tenant does not remove the other's.
  expect(await listen(beta)).toEqual(["of beta"]);
});

test("two tenants do not share a limit; two processes of one do", async () => {
  const scratch = await openScratchRedis();
  const [one, other] = [await scratch.open(), await scratch.open()];
  expect(await take(one.forTenant("alpha"))).toBe("taken");
  expect(await take(one.forTenant("beta"))).toBe("taken");
  expect(await take(other.forTenant("alpha"))).toBe("full");
  expect(await take(other.forTenant("beta"))).toBe("full");
});

const takeShared = async (
  { sharedLimits }: RedisTenant,
  part: Partial<LimitRequest> = { inFlight: 2 },
): Promise<LimitAnswer> =>
  sharedLimits.take({ name: "chat", holder: "somebody", holdMs: 60_000, ...part });

test("what is shared is counted for all tenants and processes together", async () => {
  const scratch = await openScratchRedis();
  const [one, other] = [await scratch.open(), await scratch.open()];
  const first = await takeShared(one.forTenant("alpha"));
  expect(first.kind).toBe("taken");
  expect((await takeShared(other.forTenant("beta"))).kind).toBe("taken");
  for (const redis of [one, other])
    for (const tenant of ["alpha", "beta", "gamma"])
      expect((await takeShared(redis.forTenant(tenant))).kind).toBe("full");
  // A tenant's own limit of the same name is another.
  expect(await take(one.forTenant("alpha"))).toBe("taken");
  expect(await take(one.forTenant("gamma"))).toBe("taken");
  if (first.kind === "taken") first.release();
  await until(async () => (await takeShared(other.forTenant("gamma"))).kind === "taken");
  expect((await takeShared(one.forTenant("alpha"))).kind).toBe("full");
});

test("of two tenants whose runs have the same ids neither takes the other's place", async () => {
  const scratch = await openScratchRedis();
  const clock = manualClock();
  const redis = await scratch.open({ clock });
  const [alpha, beta] = [redis.forTenant("alpha"), redis.forTenant("beta")];
  const perWindow = { count: 1, windowMs: 60_000 };
  const ask = (tenant: RedisTenant) => takeShared(tenant, { perWindow });
  expect((await takeShared(alpha, { perWindow, holder: "first" })).kind).toBe("taken");
  expect(await ask(alpha)).toEqual({ kind: "full", retryAtMs: clock.now() + 60_000 });
  expect(await ask(beta)).toEqual({ kind: "full", retryAtMs: clock.now() + 120_000 });
});

test("whoever is gone leaves nothing of what is shared: it ends by itself", async () => {
  const scratch = await openScratchRedis();
  const gone = await scratch.open();
  const perWindow = { count: 2, windowMs: 30_000 };
  const both = { perWindow, inFlight: 9, holdMs: 20_000 };
  await takeShared(gone.forTenant("alpha"), both);
  const withdrawn = await takeShared(gone.forTenant("beta"), both);
  if (withdrawn.kind === "taken") withdrawn.withdraw("kept");
  await until(async () => (await scratch.keys()).length === 3);
  gone.close();
  for (const key of await scratch.keys()) {
    expect(key.startsWith(`${scratch.prefix}:limit:{chat}:`)).toBe(true);
    const leftMs = Number(await scratch.ask("PTTL", key));
    expect(leftMs).toBeGreaterThan(10_000);
    expect(leftMs).toBeLessThanOrEqual(30_000);
  }
});

test("two databases with tenants of one name share nothing under their prefixes", async () => {
  const scratch = await openScratchRedis();
  const [one, other] = [
    (await scratch.open({ prefix: `${scratch.prefix}one:` })).forTenant("default"),
    (await scratch.open({ prefix: `${scratch.prefix}other:` })).forTenant("default"),
  ];
  const heard = await listen(other);
  say(one, "of one");
  say(other, "of the other");
  await until(() => heard.length > 0);
  expect(heard).toEqual(["of the other"]);
  expect([await take(one), await take(other)]).toEqual(["taken", "taken"]);
  for (const each of [one, other])
    expect((await takeShared(each, { inFlight: 1 })).kind).toBe("taken");
});

test("no name of a tenant or of a limit reads like another's", async () => {
  const redis = await (await openScratchRedis()).open();
  expect(await take(redis.forTenant("a"), "x}:held:limit:{y")).toBe("taken");
  expect(await take(redis.forTenant("a:limit:{x}:held"), "y")).toBe("taken");
  expect(await take(redis.forTenant("a%3Alimit"), "y")).toBe("taken");
  expect(await take(redis.forTenant("a:limit"), "y")).toBe("taken");
});
