/**
 * Chats on the durable host: a real engine, a database of its own, and a worker that is killed and
 * started again. The person is in this process: each message waits for its answer.
 */
import { chmodSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { migratePostgres, openPostgresStores } from "@turnseal/adapters/postgres";
import { createLocalHost } from "@turnseal/host";
import { createIngress, EngineError } from "@turnseal/host/restate";
import { createEngineAdmin, createPost, findFreePort, startEngine } from "@turnseal/runtime/engine";
import { ask, startPostgres } from "../kit/start-postgres.ts";
import { CHAT_TOKENS_MAX, countTurns, sayWords, startChat } from "./chat.ts";
import type { ChatStage } from "./chat-stage.ts";
import { judgeRun } from "./judge-run.ts";
import { keepWorker } from "./keep-worker.ts";
import { bindTalk, type Talker, type TalkingHost } from "./talking-host.ts";

/** The settings of a worker. */
export interface DurableSettings extends Talker {
  readonly databaseUrl: string;
  readonly tenant: string;
  readonly identityKeys: readonly string[];
  readonly port: number;
}

const SOURCE = fileURLToPath(new URL("durable-worker.ts", import.meta.url));
const DATABASE = "turnseal_context";
const TENANT = "context";
const ENDS = ["SIGINT", "SIGTERM"] as const;
/** A turn may be killed again and again, and the engine tries every few seconds then. */
const ANSWER_MS_MAX = 300_000;
const POST_MS = 15_000;
const LOOK_EVERY_MS = 10;

/** The program is what a worker runs: its source, unless there is a file with all of it. */
export async function openDurableStage(program = SOURCE): Promise<ChatStage> {
  const folder = mkdtempSync(join(tmpdir(), "turnseal-context-"));
  // The database runs as another user, below this folder.
  chmodSync(folder, 0o755);
  const database = await startPostgres(join(folder, "database"));
  await ask(database.urlOf("postgres"), `create database ${DATABASE}`);
  const databaseUrl = database.urlOf(DATABASE);
  await migratePostgres({ url: databaseUrl });
  const engine = await startEngine({ folder: join(folder, "engine") });
  const stores = await openPostgresStores({ url: databaseUrl, tenant: TENANT });
  const post = createPost(POST_MS);
  const { put } = createIngress({ ingress: engine.ingress, tenant: TENANT, post });
  const port = await findFreePort();
  let chats = 0;
  const close = async (): Promise<void> => {
    for (const signal of ENDS) process.off(signal, closeAndEnd);
    await engine.kill();
    await stores.close();
    await database.kill();
    rmSync(folder, { recursive: true, force: true });
  };
  // Servers outlive their parent.
  const closeAndEnd = (): void => {
    void close().finally(() => process.exit(1));
  };
  for (const signal of ENDS) process.once(signal, closeAndEnd);
  return {
    // Until the engine tries again, a new worker has nothing to do.
    requestsMin: 1,
    // A turn takes that long and more: what is written after an answer is found, too.
    delayMs: 200,
    hold: async (chat) => {
      chats += 1;
      const talker = { url: chat.url, provider: chat.provider, tokensMax: CHAT_TOKENS_MAX };
      const identityKeys = [engine.identityKey];
      const worker = keepWorker(chat, {
        program,
        settings: { ...talker, databaseUrl, tenant: TENANT, identityKeys, port },
        onFirst: () => createEngineAdmin(engine.admin).register(`http://127.0.0.1:${port}`),
      });
      const { agent, ...bound } = bindTalk(talker);
      const host = createLocalHost({ ...bound, stores, put });
      try {
        await worker.first;
        const talked = talk({ host, agent }, `chat ${chats}`, chat.turns);
        const run = await Promise.race([talked, worker.lives.then(() => talked)]);
        const kills = await worker.end();
        return { ...(await judgeRun({ host, stores }, run)), kills };
      } finally {
        await worker.end();
      }
    },
    close,
  };
}

/** The chat to its end, as the person has it. */
async function talk(
  { host, agent }: Pick<TalkingHost, "host" | "agent">,
  key: string,
  turns: number,
): Promise<string> {
  const run = await tell(() => startChat({ host, agent }, key));
  for (let turn = 1; turn <= turns; turn++) {
    if (turn > 1) await tell(() => sayWords(host, run, turn));
    const endMs = performance.now() + ANSWER_MS_MAX;
    while ((await countTurns(host, run)) < turn) {
      if (performance.now() > endMs) throw new Error(`turn ${turn} did not end in time`);
      await sleep(LOOK_EVERY_MS);
    }
  }
  return run;
}

/** Until it is taken: an answer can be lost, and the same again is taken once. */
async function tell<Told>(telling: () => Promise<Told>): Promise<Told> {
  const endMs = performance.now() + ANSWER_MS_MAX;
  for (;;) {
    try {
      return await telling();
    } catch (error) {
      if (!(error instanceof EngineError) || performance.now() > endMs) throw error;
      await sleep(LOOK_EVERY_MS);
    }
  }
}
