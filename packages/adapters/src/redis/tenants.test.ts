/** Tenants on one server: none shares a limit with another, and none hears another. */
import type { LiveDelta } from "@turnseal/ports";
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
  // What is kept of a message is told to who joins: only of its own.
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
  // What one finishes is not forgotten of the other.
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
});

test("no name of a tenant or of a limit reads like another's", async () => {
  const redis = await (await openScratchRedis()).open();
  expect(await take(redis.forTenant("a"), "x}:held:limit:{y")).toBe("taken");
  expect(await take(redis.forTenant("a:limit:{x}:held"), "y")).toBe("taken");
  expect(await take(redis.forTenant("a%3Alimit"), "y")).toBe("taken");
  expect(await take(redis.forTenant("a:limit"), "y")).toBe("taken");
});
