/** On the real server: what the command line names is each tenant's own. */
import { randomUUID } from "node:crypto";
import { afterEach, expect, test } from "vitest";
import { type LiveParts, type OpenedLive, openLive } from "./open-live.ts";

const redis = process.env["TURNSEAL_TEST_REDIS_URL"] ?? "redis://127.0.0.1:6379";
const opened: OpenedLive[] = [];
afterEach(() => {
  for (const live of opened.splice(0)) live.close();
});

async function open(redisPrefix: string): Promise<OpenedLive> {
  const live = await openLive({ redis, redisPrefix });
  opened.push(live);
  return live;
}

/** Keys under this prefix expire by themselves. */
const newPrefix = (): string => `turnseal-test:${randomUUID()}:`;

const take = async ({ rateLimits }: LiveParts): Promise<string | undefined> =>
  (await rateLimits?.take({ name: "chat", holder: "a", holdMs: 5_000, inFlight: 1 }))?.kind;

async function listen({ live }: LiveParts, run: string) {
  const heard: string[] = [];
  const watch = live?.watch(run, {
    delta: ({ text }) => void heard.push(text),
    moved: () => {},
  });
  await watch?.ready;
  return heard;
}

function say({ live }: LiveParts, run: string, text: string): void {
  live?.publish({
    ...{ run, turn: 1, kind: "text", key: text, part: 0, epoch: 1 },
    offset: 0,
    text,
  });
}

/** Has both say something about the same run; answers with what each has heard. */
async function tellBoth(one: LiveParts, other: LiveParts): Promise<string[][]> {
  const run = randomUUID();
  const heard = await Promise.all([listen(one, run), listen(other, run)]);
  say(one, run, "of one");
  say(other, run, "of the other");
  await expect.poll(() => heard.map((texts) => texts.length > 0)).toEqual([true, true]);
  return heard;
}

test("two tenants neither share a limit nor hear each other", async () => {
  const prefix = newPrefix();
  const [worker, server] = [await open(prefix), await open(prefix)];
  const [alpha, beta] = [worker.forTenant("alpha"), server.forTenant("beta")];
  expect([await take(alpha), await take(beta)]).toEqual(["taken", "taken"]);
  expect(await take(server.forTenant("alpha"))).toBe("full");
  expect(await tellBoth(alpha, beta)).toEqual([["of one"], ["of the other"]]);
});

test("two processes of one tenant hear each other", async () => {
  const prefix = newPrefix();
  const [worker, server] = [await open(prefix), await open(prefix)];
  const heard = await listen(server.forTenant("alpha"), "run");
  say(worker.forTenant("alpha"), "run", "a piece");
  await expect.poll(() => heard).toEqual(["a piece"]);
});

test("two databases with tenants of the same name are kept apart by --redis-prefix", async () => {
  const [one, other] = [await open(newPrefix()), await open(newPrefix())];
  const [first, second] = [one.forTenant("default"), other.forTenant("default")];
  expect([await take(first), await take(second)]).toEqual(["taken", "taken"]);
  expect(await tellBoth(first, second)).toEqual([["of one"], ["of the other"]]);
});

test("without a server each process is on its own", async () => {
  expect((await openLive({})).forTenant("alpha")).toEqual({});
});
