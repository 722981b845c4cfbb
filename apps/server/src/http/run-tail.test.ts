import type { RunState } from "@turnseal/host";
import type { SessionHost } from "@turnseal/sessions";
import { openRunTail, type RunSink, type RunWatch, watchRun } from "@turnseal/sessions";
import { expect, test } from "vitest";
import { openSampleServer } from "../sample-server.test.data.ts";

test("who joins while the log grows is told no state before its events", async () => {
  const sample = await openSampleServer({ hasLive: false });
  try {
    const { alpha } = sample.hosts;
    const { host } = alpha;
    const run = await sample.start("ada", "chat", { text: "hello" });
    const say = async (text: string): Promise<void> => {
      await host.signal(run, { name: "message", payload: { text }, by: "ada", key: text });
      await host.driveNow(run);
    };
    await host.driveNow(run);
    const told: string[] = [];
    let joined: RunWatch | undefined;
    let turnsTold = 0;
    const sink: RunSink = {
      event: ({ type }) => told.push(type),
      delta: () => {},
      state: (_, { turns }: RunState) => {
        turnsTold = Math.max(turnsTold, turns);
        told.push(`state of turn ${turns}`);
      },
      ...{ end: () => {}, cut: () => {}, drained: async () => {} },
    };
    let looks = 0;
    const { log } = alpha.stores;
    const growing: SessionHost = {
      ...alpha,
      // Another turn ends between the read of the events and the read of the state.
      show: async (id) => {
        looks += 1;
        if (looks === 2) await say("second");
        return alpha.show(id);
      },
      stores: {
        ...alpha.stores,
        log: {
          ...log,
          read: async (...place) => {
            if (looks === 2) joined ??= watchRun(sink, { ...watched, tail });
            await new Promise((resume) => setImmediate(resume));
            return log.read(...place);
          },
        },
      },
    };
    const tail = openRunTail({ host: growing, run, pace: (look) => look() });
    const watched = { host: alpha, run, after: undefined, bufferBytesMax: 1_000_000 };
    await tail.ready;
    await say("first");
    while (turnsTold < 3) await new Promise((resume) => setTimeout(resume, 5));
    await joined?.caughtUp;
    const answers = told.slice(0, told.indexOf("state of turn 3"));
    expect(answers.filter((type) => type === "assistant-message")).toHaveLength(3);
    joined?.leave();
    tail.close();
  } finally {
    await sample.close();
  }
});
