/** On the real server: runs of two tenants, each with a host of its own, and one provider. */
import { randomUUID } from "node:crypto";
import { createLocalHost } from "@turnseal/host";
import {
  createMemorySigner,
  type Model,
  memoryStores,
  type ProviderLimits,
  scriptedModel,
  systemClock,
} from "@turnseal/ports";
import { isClaimOf, type LoopPolicy, type RateLimitSpec } from "@turnseal/protocol";
import { definePrompt, jsonSchema } from "@turnseal/protocol/authoring";
import { expect, onTestFinished, test } from "vitest";
import { openLive } from "./open-live.ts";

const redis = process.env["TURNSEAL_TEST_REDIS_URL"] ?? "redis://127.0.0.1:6379";
const any = jsonSchema<object>(true);
const grant = { grantor: "ada", tools: [], budget: {} };

/** A model that takes its time, and says how many ask it at once at most. */
function slowModel(tookMs: number) {
  const asked = { now: 0, most: 0, count: 0 };
  const { generate, defaultModel } = scriptedModel();
  const model: Model = {
    defaultModel,
    generate: async (request) => {
      asked.now += 1;
      asked.count += 1;
      asked.most = Math.max(asked.most, asked.now);
      await new Promise((resume) => setTimeout(resume, tookMs));
      asked.now -= 1;
      return generate(request);
    },
  };
  return { model, asked };
}

/** Two workers of the operator, each with another tenant. */
async function openTwo(limit: Omit<RateLimitSpec, "name">, policy: LoopPolicy = {}) {
  const redisPrefix = `turnseal-test:${randomUUID()}:`;
  const { model, asked } = slowModel(300);
  const ask = definePrompt({
    ...{ id: "ask", version: "1.0.0", input: any, output: any, template: "Say it", policy },
    backend: { id: "slow" },
  });
  const listFor: ProviderLimits["listFor"] = (provider) =>
    provider === "slow" ? [{ name: "provider:slow", ...limit }] : [];
  const open = async (tenant: string) => {
    const live = await openLive({ redis, redisPrefix }, listFor);
    onTestFinished(() => live.close());
    const parts = { stores: memoryStores(systemClock), signer: await createMemorySigner() };
    const own = live.forTenant(tenant);
    return createLocalHost({ loops: [ask], models: { slow: model }, ...parts, ...own });
  };
  return { ask, asked, alpha: await open("alpha"), beta: await open("beta") };
}

test("two tenants together ask a provider for no more at once than it allows", async () => {
  const { ask, asked, alpha, beta } = await openTwo({ inFlight: 1 });
  const advance = async (host: typeof alpha, key: string) =>
    (await host.advance(await host.start(ask, {}, { grant, key }))).dues;
  const dues = await Promise.all([advance(alpha, "same"), advance(beta, "same")]);
  expect(dues).toEqual([{ kind: "done" }, { kind: "done" }]);
  expect(asked).toMatchObject({ count: 2, most: 1 });
});

test("a tenant waits for what another has taken of a minute, and no run ends", async () => {
  const policy = { rateLimit: { name: "own", perMinute: 1 } };
  const { ask, asked, alpha, beta } = await openTwo({ perMinute: 1 }, policy);
  const first = await alpha.start(ask, {}, { grant });
  expect((await alpha.advance(first)).dues).toEqual({ kind: "done" });
  const beganMs = Date.now();
  const second = await beta.start(ask, {}, { grant });
  for (let look = 0; look < 3; look++) {
    const { dues } = await beta.advance(second);
    expect(dues).toMatchObject({ kind: "wake" });
    // Not later: its own minute is not used up by looking.
    if (dues.kind === "wake") expect(dues.atMs - beganMs).toBeLessThanOrEqual(60_000);
  }
  expect(asked.count).toBe(1);
  expect(await beta.show(second)).toMatchObject({ stopped: null });
});

test("two tenants ask at once where the operator allows two", async () => {
  const { ask, asked, alpha, beta } = await openTwo({ inFlight: 2 });
  await Promise.all(
    [alpha, beta].map(async (host) => host.advance(await host.start(ask, {}, { grant }))),
  );
  expect(asked).toMatchObject({ count: 2, most: 2 });
});

test("what is claimed says which limit it passed", async () => {
  const { ask, alpha } = await openTwo({ inFlight: 2 });
  const run = await alpha.start(ask, {}, { grant });
  await alpha.advance(run);
  const names: (string | undefined)[] = [];
  for await (const event of alpha.events(run))
    if (isClaimOf("model", event)) names.push(event.content.limit?.name);
  expect(names).toEqual(["provider:slow"]);
});
