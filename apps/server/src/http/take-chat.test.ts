import type { SessionHost } from "@turnseal/sessions";
import { findUnderWay } from "@turnseal/sessions";
import { expect, test } from "vitest";
import { openSampleServer } from "../sample-server.test.data.ts";

test("a page that missed the end of a turn is told it, also before the run rests", async () => {
  const sample = await openSampleServer();
  try {
    const { alpha } = sample.hosts;
    const run = await sample.start("ada", "chat", { text: "hello" });
    await alpha.host.driveNow(run);
    const events = await alpha.stores.log.read(run, 1);
    const closed = events.find(({ type }) => type === "turn.closed")?.sequence ?? 0;
    // As the run stands once its turn is closed, and nothing is decided yet.
    const moving: SessionHost = {
      ...alpha,
      show: async (id) => {
        const shown = await alpha.show(id);
        if (shown === undefined || shown.awaited === null) return shown;
        return { ...shown, awaited: { ...shown.awaited, isWaiting: false } };
      },
    };
    const chat = { run, key: undefined, isBegun: true };
    expect(closed).toBeGreaterThan(0);
    expect(await findUnderWay(moving, chat, closed - 1)).toBe(1);
    // A page that has that turn gets the next one.
    expect(await findUnderWay(moving, chat, closed)).toBe(2);
    expect(await findUnderWay(alpha, chat, closed - 1)).toBe(1);
    expect(await findUnderWay(alpha, chat, events.at(-1)?.sequence)).toBeUndefined();
  } finally {
    await sample.close();
  }
});
