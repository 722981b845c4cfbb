import { setTimeout as sleep } from "node:timers/promises";
import { eventBusContract } from "@turnseal/ports/contracts";
import { describe, expect, test } from "vitest";
import { openNetwork, openScratchRedis, until } from "./scratch-redis.test.data.ts";

describe("a bus on a Redis server keeps the contract", () => {
  const create = async () => {
    const scratch = await openScratchRedis();
    const [one, other] = [await scratch.open(), await scratch.open()];
    return {
      bus: one.openBus("acme"),
      other: other.openBus("acme"),
      stranger: one.openBus("b"),
      pass: (ms: number) => sleep(ms),
    };
  };
  for (const { name, run } of eventBusContract({ create })) test(name, run, 30_000);
});

test("consumers that hold nothing any more are forgotten, and what one holds is not", async () => {
  const scratch = await openScratchRedis();
  const bus = (await scratch.open()).openBus("acme");
  await bus.publish(
    "topic",
    Array.from({ length: 21 }, (_, at) => at + 1),
  );
  const takeAs = (consumer: string, holdMs: number) =>
    bus.take("topic", { group: "group", consumer, holdMs, limit: 1 });
  expect(await takeAs("holder", 600_000)).toEqual([{ number: 1, event: 1 }]);
  for (let number = 2; number <= 21; number++) {
    expect(await takeAs(`process-${number}`, 600_000)).toEqual([{ number, event: number }]);
    await bus.acknowledge("topic", "group", [number]);
  }
  const [stream = ""] = (await scratch.keys()).filter((key) => key.endsWith("}"));
  const listConsumers = async () => {
    const told = await scratch.ask("XINFO", "CONSUMERS", stream, "group");
    return (told as readonly { readonly name: string }[]).map(({ name }) => name);
  };
  // A consumer is gone for certain only after the hold time of an event.
  expect(await listConsumers()).toHaveLength(21);
  await sleep(20);
  expect(await takeAs("next", 15)).toEqual([{ number: 1, event: 1 }]);
  expect((await listConsumers()).sort()).toEqual(["holder", "next"]);
});

test("a server that is lost says so, and hands out what it had when it is back", async () => {
  const scratch = await openScratchRedis();
  const network = await openNetwork();
  const bus = (await scratch.open({ url: network.url })).openBus("acme");
  await bus.publish("topic", ["one"]);
  network.cut();
  const isAway = (): Promise<boolean> =>
    bus.publish("topic", ["two"]).then(
      () => false,
      () => true,
    );
  await until(isAway);
  await expect(bus.read("topic", 1)).rejects.toMatchObject({ code: "STORE_UNREACHABLE" });
  network.mend();
  const taking = { group: "group", consumer: "one", holdMs: 1_000, limit: 1 };
  await until(() =>
    bus.take("topic", taking).then(
      (taken) => taken[0]?.event === "one",
      () => false,
    ),
  );
  await network.close();
});
