/** A run whose actions are done under an approval that stands, as the kernel makes it. */
import { createLocalHost } from "@turnseal/host";
import { manualClock, memoryStores, seededIds } from "@turnseal/ports";
import type { JsonObject, JsonValue, RawEvent } from "@turnseal/protocol";
import { definePrompt, defineTool, jsonSchema } from "@turnseal/protocol/authoring";
import { toBase64 } from "@turnseal/protocol/receipts";
import { createSeededSigner } from "./demo-signer.ts";
import { readRun } from "./read-run.ts";
import { findSequence, type MadeRun } from "./seal-events.ts";
import { by, change } from "./spoil-run.ts";

const anything = jsonSchema<JsonValue>(true);

/** A tool that pays, and a model that asks for three payments, one after the other. */
function createLoops() {
  const pay = defineTool({
    ...{ id: "pay", version: "1.0.0", effect: "idempotent", build: "1" },
    input: jsonSchema<JsonValue>({ type: "object" }),
    output: anything,
    run: (input) => input,
  });
  const desk = definePrompt({
    ...{ id: "desk", version: "1.0.0", tools: [pay], rounds: 5 },
    input: jsonSchema<{ readonly word: string }>({ type: "object" }),
    output: anything,
    template: "{{word}}",
  });
  return { pay, desk };
}

/** Bea approves the first of three payments, and two more of at most 900 below `bills`. */
export async function makeStandingRun(): Promise<MadeRun> {
  const clock = manualClock();
  const stores = memoryStores(clock);
  const { pay, desk } = createLoops();
  const ids = seededIds("standing");
  let round = 0;
  const host = createLocalHost({
    ...{ loops: [pay, desk], stores, signer: createSeededSigner(), clock, ids },
    models: {
      scripted: {
        defaultModel: "scripted",
        generate: async () => {
          round += 1;
          const input = JSON.stringify({ bill: `bills/${round}`, cents: round * 300 });
          const call = { toolCallId: `call-${round}`, toolName: "local__pay", input };
          const usage = { inputTokens: 1, outputTokens: 1 };
          return round > 3
            ? { content: [{ kind: "text", text: "done" }], finishReason: "stop", usage }
            : { content: [{ kind: "tool-call", ...call }], finishReason: "tool-calls", usage };
        },
      },
    },
  });
  const run = await host.start(
    desk,
    { word: "go" },
    {
      ...{ key: "one", by: "alice", bounds: { turnsMax: 1 } },
      grant: {
        grantor: "alice",
        tools: ["local.pay", "local.sell"],
        budget: { effects: 9, toolCalls: 9 },
      },
      policy: {
        name: "rules",
        rules: [
          {
            ...{ id: "pay", decision: "ask", tools: ["local.pay"], role: "finance" },
            ...{ exclude: ["starter"], mayStand: { uses: 3, withinMs: 60_000 } },
          },
        ],
      },
    },
  );
  await host.advance(run);
  const [request] = await host.requests(run);
  await host.decide(run, request?.id ?? "", {
    ...{ choice: "approve", by: { id: "bea", roles: ["finance"] } },
    standing: { uses: 2, withinMs: 60_000, amounts: { effects: 2 } },
    pattern: { bill: { glob: "bills/*" }, cents: { atMost: 900 } },
  });
  clock.advance(1_000);
  await host.advance(run);
  return { ...(await readRun(stores, run)), content: await readAll(stores, run) };
}

type Content = NonNullable<MadeRun["content"]>;

/** The content of every claim of a tool, and of the decision. */
async function readAll(stores: ReturnType<typeof memoryStores>, run: string): Promise<Content> {
  const blobs: Record<string, string> = {};
  for (const { content } of (await readRun(stores, run)).events) {
    const { pattern, request } = content;
    for (const reference of [pattern, request]) {
      const { digest } = Object(reference) as JsonObject;
      const bytes = typeof digest === "string" ? await stores.blobs.read(run, digest) : undefined;
      if (bytes !== undefined) blobs[String(digest)] = toBase64(bytes);
    }
  }
  const key = await stores.blobs.readKey(run);
  if (key === undefined) throw new Error("the run has no key");
  return { key: toBase64(key), blobs };
}

/** The same without its content: what the arguments are is not known then. */
export function leaveOutContent({ content: _, ...run }: MadeRun): MadeRun {
  return run;
}

/** Valid: after the revocation nothing is drawn. */
export function revokeAtTheEnd(run: MadeRun): MadeRun {
  return change(run, (events) => {
    const closed = findSequence(events, "turn.closed");
    const decided = events[findSequence(events, "approval.decided") - 1] as RawEvent;
    const end = events[closed - 1] as RawEvent;
    const { sequence: decision, hash } = decided;
    const content = { kind: "revoke", key: "revoke", receivedAt: end.at, decision, hash };
    const revoked: RawEvent = { ...end, type: "signal.received", content };
    return events.toSpliced(closed - 1, 0, by({ kind: "person", id: "cem" })(revoked));
  });
}
