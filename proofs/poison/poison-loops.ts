/** Tools that harm their own process, and one that does not. */
import { setTimeout as wait } from "node:timers/promises";
import { defineTool, jsonSchema } from "@turnseal/protocol/authoring";

const any = jsonSchema<object>(true);
const common = { version: "1.0.0", input: any, output: any, build: "1" } as const;

/** How long a run of the quiet tenant acts. */
export const REST_MS = 200;

export const rest = defineTool({
  ...{ ...common, id: "rest", effect: "idempotent" },
  run: async () => {
    await wait(REST_MS);
    return {};
  },
});

/** Takes its process down, each time. */
export const burn = defineTool({
  ...{ ...common, id: "burn", effect: "idempotent" },
  run: async () => {
    await wait(50);
    process.exit(1);
  },
});

/** Leaves a promise to itself, which fails after it has answered. */
export const stray = defineTool({
  ...{ ...common, id: "stray", effect: "idempotent" },
  run: async () => {
    void wait(50).then(() => {
      throw new Error("left to itself");
    });
    await wait(100);
    return {};
  },
});

export const poisonLoops = [rest, burn, stray];
