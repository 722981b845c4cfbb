import { expect, test } from "vitest";
import { openDoor } from "./door.ts";

test("a worker says that it lives, whether it is ready, and what it counts", async () => {
  const state: { why: string | undefined } = { why: "the worker drains" };
  const door = await openDoor({
    ...{ bind: "127.0.0.1", port: 0, whyUnready: async () => state.why },
    renderMetrics: () => "turnseal_slots_max 1\n",
  });
  const ask = async (path: string) => {
    const response = await fetch(`http://127.0.0.1:${door.port}${path}`);
    return [response.status, await response.text()];
  };
  try {
    expect(await ask("/health")).toEqual([200, "alive\n"]);
    expect(await ask("/ready")).toEqual([503, "not ready: the worker drains\n"]);
    state.why = undefined;
    expect(await ask("/ready")).toEqual([200, "ready\n"]);
    expect(await ask("/metrics")).toEqual([200, "turnseal_slots_max 1\n"]);
    expect((await ask("/"))[0]).toBe(404);
  } finally {
    door.close();
  }
});

test("a look that hangs is answered with what was found before", async () => {
  const state = { looks: 0 };
  const door = await openDoor({
    ...{ bind: "127.0.0.1", port: 0, renderMetrics: () => "" },
    whyUnready: async () => {
      state.looks += 1;
      return state.looks === 1 ? "a reason" : new Promise<never>(() => {});
    },
  });
  try {
    // The first look was made before anybody asked.
    while (state.looks === 0) await new Promise((resume) => setTimeout(resume, 10));
    const answer = await fetch(`http://127.0.0.1:${door.port}/ready`);
    expect([answer.status, await answer.text()]).toEqual([503, "not ready: a reason\n"]);
    expect(state.looks).toBe(2);
  } finally {
    door.close();
  }
});
