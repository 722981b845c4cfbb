/** A turn with one model round and one tool call, for the benchmarks of runs. */
import { generateKeyPairSync, sign } from "node:crypto";
import { createLocalHost, type LocalHost, type LocalHostOptions } from "@turnseal/host";
import { type Model, randomIds, type Signer, type Stores, systemClock } from "@turnseal/ports";
import { defineComposite, definePrompt, defineTool } from "@turnseal/protocol/authoring";
import { keyIdOf } from "@turnseal/protocol/receipts";
import { z } from "zod";

const header = { version: "1.0.0" };
const one = z.object({ left: z.number() });
const sum = z.object({ sum: z.number() });

const add = defineTool({
  ...header,
  id: "add",
  input: z.object({ left: z.number(), right: z.number() }),
  output: sum,
  effect: "read",
  build: "1",
  run: ({ left, right }) => ({ sum: left + right }),
});

const choose = definePrompt({
  ...header,
  id: "choose",
  input: one,
  output: z.object({ right: z.number() }),
  template: "What is to be added to {{left}}?",
  backend: { id: "instant", model: "instant" },
});

const work = defineComposite({
  ...header,
  id: "work",
  input: one,
  output: sum,
  steps: (steps) =>
    steps
      .call("chosen", choose, ({ input }) => ({ left: input.left }))
      .call("added", add, ({ input, chosen }) => ({
        left: input.left,
        right: chosen.output.right,
      })),
});

const instant: Model = {
  defaultModel: "instant",
  generate: async () => ({
    content: [{ kind: "text", text: '{"right":2}' }],
    finishReason: "stop",
    usage: { inputTokens: 10, outputTokens: 5 },
  }),
};

/** Signs with a key of its own, made when it is created. */
export function createSigner(): Signer {
  const { publicKey, privateKey } = generateKeyPairSync("ed25519");
  return {
    keyId: keyIdOf(publicKey.export({ format: "jwk" }).x ?? ""),
    issuer: "development",
    sign: async (data) => sign(null, data, privateKey),
  };
}

/** What a host needs to run the turn. */
export const sampleLoops = { loops: [work, choose, add], models: { instant } };

/** A host that knows the loops of the turn. */
export function createSampleHost(
  stores: Stores,
  signer: Signer,
  more: Pick<LocalHostOptions, "put"> = {},
): LocalHost {
  const [clock, ids] = [systemClock, randomIds];
  return createLocalHost({ ...sampleLoops, stores, signer, clock, ids, ...more });
}

/** Starts a run that takes exactly so many turns: its goal is never reached. */
export function startSampleRun(host: LocalHost, turnsMax: number): Promise<string> {
  return host.start(
    work,
    { left: 1 },
    {
      grant: { grantor: "bench", tools: ["local.add"], budget: {} },
      bounds: { turnsMax, goal: { path: "$.output.sum", equals: 0 } },
    },
  );
}
