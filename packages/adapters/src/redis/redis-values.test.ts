import { valueStateContract } from "@turnseal/ports/contracts";
import { describe, expect, test } from "vitest";
import { ANSWER_MS_MAX } from "./answer-of.ts";
import { openNetwork, openScratchRedis, until } from "./scratch-redis.test.data.ts";

describe("values on a Redis server keep the contract", () => {
  const create = async () => {
    const scratch = await openScratchRedis();
    const [one, other] = [await scratch.open(), await scratch.open()];
    const values = one.openValues("acme");
    return { values, other: other.openValues("acme"), stranger: one.openValues("b") };
  };
  for (const { name, run } of valueStateContract({ create })) test(name, run);
});

test("a server that is lost is unreachable, and has what it had when it is back", async () => {
  const scratch = await openScratchRedis();
  const network = await openNetwork();
  const values = (await scratch.open({ url: network.url })).openValues("acme");
  await values.set("a", 1);
  network.cut();
  const away = { code: "STORE_UNREACHABLE" };
  await until(async () =>
    values.set("a", 2).then(
      () => false,
      () => true,
    ),
  );
  await expect(values.get("a")).rejects.toMatchObject(away);
  await expect(values.append("log", 1)).rejects.toMatchObject(away);
  network.mend();
  await until(async () =>
    values.get("a").then(
      (value) => value === 1,
      () => false,
    ),
  );
  await network.close();
});

test("what a server refuses is not taken for an answer", async () => {
  const scratch = await openScratchRedis();
  const values = (await scratch.open()).openValues("acme");
  await values.set("a", 1);
  const key = (await scratch.keys()).find((name) => name.endsWith(":keys")) ?? "";
  await scratch.ask("SET", key.replace(/keys$/, "log:log"), "text");
  await expect(values.append("log", 1)).rejects.toMatchObject({ code: "STORE_UNREACHABLE" });
  await expect(values.readLog("log", 1)).rejects.toMatchObject({ code: "STORE_UNREACHABLE" });
  expect(await values.get("a")).toBe(1);
});

test("a server that does not answer within ANSWER_MS_MAX is unreachable", async () => {
  const scratch = await openScratchRedis();
  const network = await openNetwork();
  const values = (await scratch.open({ url: network.url })).openValues("acme");
  network.freeze();
  const startedAt = performance.now();
  await expect(values.get("a")).rejects.toMatchObject({ code: "STORE_UNREACHABLE" });
  expect(performance.now() - startedAt).toBeGreaterThanOrEqual(ANSWER_MS_MAX - 10);
  await network.close();
}, 20_000);
