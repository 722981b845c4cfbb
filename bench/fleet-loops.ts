/** A tool that takes the wanted time, beside the turn that every benchmark of runs takes. */
import { setTimeout as wait } from "node:timers/promises";
import type { LocalHost } from "@turnseal/host";
import { defineTool } from "@turnseal/protocol/authoring";
import { z } from "zod";
import { sampleLoops } from "./sample-turn.ts";

export const rest = defineTool({
  ...{ id: "rest", version: "1.0.0", effect: "idempotent", build: "1" },
  input: z.object({ ms: z.number() }),
  output: z.object({}),
  run: async ({ ms }) => {
    await wait(ms);
    return {};
  },
});

/** Starts a run that takes so long. */
export function startRest(host: LocalHost, ms: number): Promise<string> {
  const grant = { grantor: "bench", tools: ["local.rest"], budget: {} };
  return host.start(rest, { ms }, { grant });
}

export const fleetLoops = { ...sampleLoops, loops: [...sampleLoops.loops, rest] };
