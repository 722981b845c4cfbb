import type { WaitingRequest } from "@turnseal/host";
import { expect, test } from "vitest";
import { openSampleServer } from "../sample-server.test.data.ts";
import type { SessionHost } from "../session-host.ts";
import { readState, STATE_REQUESTS_MAX } from "./run-state.ts";

test("a run that nobody has carried yet is running, and one that has ended says why", async () => {
  const sample = await openSampleServer();
  try {
    const { alpha } = sample.hosts;
    expect(await readState(alpha, "00000000-0000-4000-8000-000000000000")).toEqual({
      status: "running",
      sequence: 0,
      requests: [],
    });
    const run = await sample.start("ada", "desk", { text: "hello" });
    await alpha.driven.close();
    expect(await readState(alpha, run)).toMatchObject({ status: "done", stopped: "goal-reached" });
  } finally {
    await sample.close();
  }
});

test("a state names STATE_REQUESTS_MAX requests and no more", async () => {
  const sample = await openSampleServer();
  try {
    const { alpha } = sample.hosts;
    const run = await sample.start("ada", "desk", { text: "refund A-1 10" });
    await alpha.driven.close();
    const [request] = await alpha.requests(run);
    const many = Array.from({ length: STATE_REQUESTS_MAX + 1 }, () => request as WaitingRequest);
    const host: SessionHost = { ...alpha, requests: async () => many };
    expect((await readState(host, run)).requests).toHaveLength(STATE_REQUESTS_MAX);
    expect((await readState(alpha, run)).requests).toHaveLength(1);
  } finally {
    await sample.close();
  }
});
