/** A consumer of a group. It tells what it was handed, and what it has acknowledged. */
import { setTimeout as sleep } from "node:timers/promises";
import { openRedis } from "@turnseal/adapters/redis";
import { isLoopError } from "@turnseal/protocol";

const [url = "", consumer = "", holdMs = ""] = process.argv.slice(2);
const redis = await openRedis({ url });
const bus = redis.openBus("acme");
const taking = { group: "group", consumer, holdMs: Number(holdMs), limit: 5 };

async function consume(): Promise<void> {
  const taken = await bus.take("topic", taking);
  const numbers = taken.map(({ number }) => number);
  if (numbers.length === 0) return void (await sleep(20));
  for (const { number, event } of taken) process.send?.({ kind: "handed", number, event });
  await sleep(Math.random() * 10);
  await bus.acknowledge("topic", "group", numbers);
  process.send?.({ kind: "acknowledged", numbers });
}

process.on("disconnect", () => process.exit(0));
for (;;) {
  try {
    await consume();
  } catch (error) {
    if (!isLoopError(error) || error.retry !== "retry") throw error;
    await sleep(50);
  }
}
