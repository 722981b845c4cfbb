import { json, wholeNumber } from "../tools/command/options.ts";
import { createProgress } from "../tools/command/progress.ts";
import { readOptions } from "../tools/command/read-options.ts";
import { type ChatFigures, killChats } from "./context/kill-chats.ts";
import { runTask, type TaskFigures } from "./context/run-task.ts";
import { renderTables, summarize } from "./context/summary.ts";
import { PROVIDERS } from "./context/wires.ts";
import { bundleWorker } from "./crash/bundle-worker.ts";

/** A window that is full several times, and one in which most requests only add to one another. */
const TASK = { rounds: 300, windowTokens: 8_000 };
const PREFIX = { rounds: 200, windowTokens: 14_000 };

const options = readOptions({
  name: "npm run context",
  about: [
    "What a model is sent over HTTP, in the shapes of OpenAI and of Anthropic: a chat whose process",
    "is killed at random moments asks, byte for byte, what an undisturbed one asks; a task of 300",
    "rounds never passes its window; and requests repeat the beginning of those before them.",
    "The server takes four characters for a token. Exits with 1 when a goal is not met.",
  ],
  lasts: "a few minutes: a kill costs the start of a process",
  options: {
    kills: wholeNumber({
      takes: "kills",
      says: "kills at random moments, for each provider",
      default: 100,
      atLeast: 1,
    }),
    turns: wholeNumber({ takes: "turns", says: "turns of a chat", default: 50, atLeast: 1 }),
    seed: wholeNumber({ takes: "number", says: "where the random moments come from", default: 1 }),
    json,
  },
});

const say = createProgress();
const program = await bundleWorker(new URL("context/worker.ts", import.meta.url));
const chats: Record<string, ChatFigures> = {};
const tasks: Record<string, TaskFigures> = {};
const prefixes: Record<string, TaskFigures> = {};
for (const provider of PROVIDERS) {
  const { kills, turns, seed } = options;
  chats[provider] = await killChats({ provider, kills, turns, seed, say, program });
  say(`${provider}: tasks`);
  tasks[provider] = await runTask({ provider, ...TASK });
  prefixes[provider] = await runTask({ provider, ...PREFIX });
}
const figures = { chats, tasks, prefixes };
for (const line of renderTables(figures)) console.log(line);
const summary = summarize(figures, options.kills);
if (options.json) console.log(JSON.stringify(summary));
process.exitCode = summary.pass ? 0 : 1;
