import { memoryLiveBus, scriptedModel } from "@turnseal/ports";
import type { LiveDelta } from "@turnseal/protocol/streaming";
import { expect, test } from "vitest";
import { advance } from "../advance.ts";
import { openWorld, RUN } from "../scenarios/sample-world.test.data.ts";

test("a watcher hears the answer come, and that the log has grown after every append", async () => {
  const live = memoryLiveBus();
  const told: string[] = [];
  const watch = live.watch(RUN, {
    delta: ({ text }) => told.push(text),
    moved: () => told.push("moved"),
  });
  await watch.ready;
  const world = openWorld({ model: scriptedModel(["first words"]) });
  let appends = 0;
  const { log } = world.stores;
  const stores = {
    ...world.stores,
    log: {
      ...log,
      append: async (batch: Parameters<typeof log.append>[0]) => {
        const answer = await log.append(batch);
        appends += 1;
        return answer;
      },
    },
  };
  await world.start();
  await advance(RUN, { ...world.ports, stores, live });
  expect(told.filter((word) => word === "moved")).toHaveLength(appends);
  expect(told.filter((word) => word !== "moved").join("")).toBe("first words");
  // The claim is durable before the first word, and what follows the last is in the log.
  expect([told[0], told.at(-1)]).toEqual(["moved", "moved"]);
});

test("who joins is told what is being written, and not what is in the log", async () => {
  const live = memoryLiveBus();
  const early: LiveDelta[] = [];
  const late: LiveDelta[] = [];
  const pieces = async function* () {
    yield "first ";
    live.watch(RUN, { delta: (delta) => early.push(delta), moved: () => {} });
    yield "words";
  };
  const world = openWorld({ model: scriptedModel([{ pieces: pieces() }]) });
  await world.start();
  await advance(RUN, { ...world.ports, live });
  live.watch(RUN, { delta: (delta) => late.push(delta), moved: () => {} });
  expect(early.map(({ text, offset }) => [text, offset])).toEqual([
    ["first ", 0],
    ["words", 6],
  ]);
  expect(late).toEqual([]);
});

test("an answer whose settlement is not durable is not finished", async () => {
  const live = memoryLiveBus();
  const late: LiveDelta[] = [];
  const world = openWorld({
    model: scriptedModel(["first words"]),
    see: (stores) => {
      let appends = 0;
      const append: typeof stores.log.append = async (batch) => {
        appends += 1;
        if (appends === 2) throw new Error("crash");
        return stores.log.append(batch);
      };
      return { ...stores, log: { ...stores.log, append } };
    },
  });
  await world.start();
  await expect(advance(RUN, { ...world.ports, live })).rejects.toThrow("crash");
  live.watch(RUN, { delta: (delta) => late.push(delta), moved: () => {} });
  expect(late.map(({ text }) => text)).toEqual(["first words"]);
});

test("a bus that throws keeps nobody from anything", async () => {
  const refuse = (): never => {
    throw new Error("away");
  };
  const world = openWorld();
  await world.start();
  const live = { publish: refuse, moved: refuse, finish: refuse, watch: refuse };
  const advanced = await advance(RUN, { ...world.ports, live });
  expect(advanced).toMatchObject({ dues: { kind: "done" } });
});
