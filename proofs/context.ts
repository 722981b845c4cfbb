import { oneOf, wholeNumber } from "../tools/command/options.ts";
import type { ChatStage } from "./context/chat-stage.ts";
import { openDurableStage } from "./context/durable-chats.ts";
import { type ChatFigures, killChats } from "./context/kill-chats.ts";
import { openLocalStage } from "./context/local-chats.ts";
import { runTask, type TaskFigures, type TaskOptions } from "./context/run-task.ts";
import { renderTables, summarize } from "./context/summary.ts";
import { PROVIDERS, type Provider } from "./context/wires.ts";
import { bundleWorker } from "./kit/bundle-worker.ts";
import { prove } from "./kit/prove.ts";

/**
 * Windows that are full several times, also with text that has more tokens than our estimate; and
 * windows in which most requests only add to one another.
 */
const TASKS: readonly Omit<TaskOptions, "provider">[] = [
  { rounds: 300, windowTokens: 8_000 },
  { rounds: 100, windowTokens: 8_000, page: "hex" },
  { rounds: 100, windowTokens: 8_000, page: "thai" },
];
const PREFIXES: readonly Omit<TaskOptions, "provider">[] = [
  { rounds: 200, windowTokens: 14_000, strategy: "flat" },
  { rounds: 200, windowTokens: 20_000, strategy: "summary" },
];

const HOSTS = ["local", "durable"] as const;
type Host = (typeof HOSTS)[number];

await prove(
  {
    name: "proof context",
    about: [
      "What a model is sent over HTTP, in the shapes of OpenAI and of Anthropic: a chat whose process",
      "is killed at random moments asks, byte for byte, what an undisturbed one asks, on one machine",
      "and on the durable host; a task of 300 rounds never passes its window; requests repeat the",
      "beginning of those before them; and a run says what it is charged. The server counts with a",
      "tokenizer. Exits with 1 when a goal is not met.",
    ],
    needs: "for the durable host PostgreSQL's programs (TURNSEAL_POSTGRES_BIN) and the engine",
    lasts: "ten minutes or so: a kill costs the start of a process",
    options: {
      host: oneOf(HOSTS, {
        takes: "host",
        says: "only this one; durable has chats and no tasks (both unless given)",
      }),
      kills: wholeNumber({
        takes: "kills",
        says: "kills at random moments, for each provider and host",
        default: 100,
        atLeast: 1,
      }),
      turns: wholeNumber({ takes: "turns", says: "turns of a chat", default: 50, atLeast: 1 }),
      seed: wholeNumber({
        takes: "number",
        says: "where the random moments come from",
        default: 1,
      }),
    },
  },
  async ({ host: only, kills, turns, seed }, say) => {
    const hosts = only === undefined ? HOSTS : [only];
    const chats: Record<string, ChatFigures> = {};
    const tasks: Record<string, TaskFigures> = {};
    const prefixes: Record<string, TaskFigures> = {};
    for (const host of hosts) {
      const stage = await openStage(host);
      try {
        for (const provider of PROVIDERS) {
          const name = nameOf(provider, host);
          const sayOf = (words: string): void => say(`${name}: ${words}`);
          chats[name] = await killChats({ provider, kills, turns, seed, say: sayOf, stage });
        }
      } finally {
        await stage.close();
      }
    }
    for (const provider of hosts.includes("local") ? PROVIDERS : []) {
      say(`${provider}: tasks`);
      for (const task of TASKS)
        tasks[nameOf(provider, task.page)] = await runTask({ provider, ...task });
      for (const task of PREFIXES)
        prefixes[nameOf(provider, task.strategy)] = await runTask({ provider, ...task });
    }
    const figures = { chats, tasks, prefixes };
    return { ...summarize(figures, kills), lines: renderTables(figures) };
  },
);

function nameOf(provider: Provider, of: string | undefined): string {
  return of === undefined ? provider : `${provider}, ${of}`;
}

async function openStage(host: Host): Promise<ChatStage> {
  const source = { local: "context/worker.ts", durable: "context/durable-worker.ts" }[host];
  const program = await bundleWorker(new URL(source, import.meta.url));
  return host === "local" ? openLocalStage(program) : openDurableStage(program);
}
