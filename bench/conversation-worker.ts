/**
 * A process that carries the conversation on and dies at a model call: `conversation-worker.ts
 * <file> <call>`.
 */
import { writeSync } from "node:fs";
import { sqliteStores } from "@turnseal/adapters/sqlite";
import { startConversation } from "./sample-conversation.ts";
import { createSigner } from "./sample-turn.ts";

const [file = "", dieAt = ""] = process.argv.slice(2);
const loadedMs = performance.now();
const { host, run } = await startConversation({
  stores: sqliteStores({ file }),
  signer: createSigner(),
  onCall: (call) => {
    if (call !== Number(dieAt)) return;
    const nowMs = performance.now();
    writeSync(1, JSON.stringify({ sinceStartMs: nowMs, sinceLoadMs: nowMs - loadedMs }));
    process.kill(process.pid, "SIGKILL");
  },
});
await host.advance(run, { sliceMs: Number.POSITIVE_INFINITY });
