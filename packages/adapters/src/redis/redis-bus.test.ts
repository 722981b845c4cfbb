import { setTimeout as sleep } from "node:timers/promises";
import { eventBusContract } from "@turnseal/ports/contracts";
import { describe, expect, test } from "vitest";
import { openNetwork, openScratchRedis, until } from "./scratch-redis.test.data.ts";

describe("a bus on a Redis server keeps the contract", () => {
  const create = async () => {
    const scratch = await openScratchRedis();
    const [one, other] = [await scratch.open(), await scratch.open()];
    return {
      bus: one.forTenant("acme").bus,
      other: other.forTenant("acme").bus,
      stranger: one.forTenant("b").bus,
      pass: (ms: number) => sleep(ms),
    };
  };
  for (const { name, run } of eventBusContract({ create })) test(name, run, 30_000);
});

test("a server that is lost says so, and hands out what it had when it is back", async () => {
  const scratch = await openScratchRedis();
  const network = await openNetwork();
  const { bus } = await scratch.openTenant({ url: network.url });
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
