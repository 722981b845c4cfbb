// A tool that runs until it is told to stop, and leaves beside the run when it began and when it
// was told.
import { writeFileSync } from "node:fs";
import { setTimeout as wait } from "node:timers/promises";

const TEN_MINUTES_MS = 600_000;

export const patient = {
  definition: {
    id: "patient",
    name: "Patient",
    version: "1.0.0",
    kind: "tool",
    inputSchema: true,
    outputSchema: true,
    tool: { implementation: "local.patient" },
    policy: { timeoutMs: TEN_MINUTES_MS },
  },
  run: async ({ begun, told }, { signal }) => {
    // Before anything else: nothing that is written later can make the time look shorter.
    signal.addEventListener("abort", () => writeFileSync(told, String(Date.now())));
    writeFileSync(begun, "");
    await wait(TEN_MINUTES_MS, undefined, { signal });
    return {};
  },
  declared: { effect: "read" },
};
