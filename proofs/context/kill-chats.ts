/**
 * Holds a chat once undisturbed, and then again with its process killed at random moments, until
 * there were enough kills. What the provider was sent must be the same, byte for byte.
 */
import { fork } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { Say } from "../../tools/command/progress.ts";
import { createRandom, type RandomSource } from "../crash/random-source.ts";
import { judgeRun } from "./judge-run.ts";
import { type RecordingServer, startRecordingServer, type Talk } from "./recording-server.ts";
import { openTalkingHost, type Place } from "./talking-host.ts";
import type { Provider } from "./wires.ts";

/** A kill comes within this time after the request that it waits for: it may find the next ones. */
const DELAY_MS = 40;
const ANSWER_MS = 5;
/** More than a chat ever needs. */
const TOKENS_MAX = 1_000_000;

export interface ChatOptions {
  readonly provider: Provider;
  readonly turns: number;
  readonly kills: number;
  readonly seed: number;
  readonly say: Say;
  /** What the process runs: its source, unless there is a file with all of it. */
  readonly program?: string;
}

export interface ChatFigures {
  /** Chats that were disturbed. */
  chats: number;
  kills: number;
  /** Requests of the undisturbed chat. */
  readonly requests: number;
  /** Requests that were made again after a kill. */
  repeated: number;
  /** Chats that were sent anything else than the undisturbed one, or in another order. */
  unequal: number;
  torn: number;
  turns: number;
  differing: number;
  findings: number;
}

export async function killChats(options: ChatOptions): Promise<ChatFigures> {
  const folder = mkdtempSync(join(tmpdir(), "turnseal-context-"));
  const server = await startRecordingServer(ANSWER_MS);
  const random = createRandom(options.seed);
  try {
    const whole = await holdChat({ options, server, random, file: join(folder, "whole.db") }, 0);
    const figures: ChatFigures = {
      ...{ chats: 0, kills: 0, requests: whole.bodies.length, repeated: 0, unequal: 0 },
      ...{ torn: whole.torn, turns: 0, differing: whole.differing, findings: whole.findings },
    };
    while (figures.kills < options.kills) {
      const file = join(folder, `${figures.chats}.db`);
      const left = options.kills - figures.kills;
      const chat = await holdChat({ options, server, random, file }, left);
      const distinct = chat.bodies.filter((body, index) => body !== chat.bodies[index - 1]);
      figures.chats += 1;
      figures.repeated += chat.bodies.length - distinct.length;
      figures.unequal += isEqual(distinct, whole.bodies) ? 0 : 1;
      for (const field of ["kills", "torn", "turns", "differing", "findings"] as const)
        figures[field] += chat[field];
      options.say(`${options.provider}: ${figures.kills} of ${options.kills} kills`);
    }
    return figures;
  } finally {
    server.close();
    rmSync(folder, { recursive: true, force: true });
  }
}

function isEqual(one: readonly string[], other: readonly string[]): boolean {
  return one.length === other.length && one.every((body, index) => body === other[index]);
}

interface Stage {
  readonly options: ChatOptions;
  readonly server: RecordingServer;
  readonly random: RandomSource;
  readonly file: string;
}

/** One chat to its end, with at most so many kills. */
async function holdChat({ options, server, random, file }: Stage, killsMax: number) {
  const { provider, turns, program } = options;
  const { talk, url } = server.open({ provider });
  const place: Place = { file, url, provider, tokensMax: TOKENS_MAX };
  const life = { talk, place, turns, ...(program === undefined ? {} : { program }) };
  for (let kills = 0; ; kills++) {
    const death = kills < killsMax ? chooseDeath(options, random) : undefined;
    const run = await liveOnce({ ...life, death });
    if (run === undefined) continue;
    const opened = openTalkingHost(place);
    const judged = await judgeRun(opened, run);
    opened.close();
    return { ...judged, kills, bodies: talk.bodies, torn: talk.torn };
  }
}

/** When a process is killed: some time after so many requests, or after it began. */
interface Death {
  readonly requests: number;
  readonly delayMs: number;
}

/** By requests, not by time alone: so kills come all over the chat, however slow the machine is. */
function chooseDeath({ turns, kills }: ChatOptions, random: RandomSource): Death {
  const requestsMax = Math.max(1, Math.floor((2 * turns) / kills));
  return { requests: random.below(requestsMax + 1), delayMs: random.below(DELAY_MS) };
}

interface Life {
  readonly talk: Talk;
  readonly place: Place;
  readonly turns: number;
  /** Undefined lets it live. */
  readonly death: Death | undefined;
  readonly program?: string;
}

const SOURCE = fileURLToPath(new URL("worker.ts", import.meta.url));

/** The run when the chat came to its end, or undefined when the process was killed before. */
async function liveOnce({ talk, place, turns, death, program = SOURCE }: Life) {
  const child = fork(program, [JSON.stringify(place), String(turns)], {
    execArgv: ["--conditions=turnseal-source"],
    env: { ...process.env, NODE_OPTIONS: "" },
  });
  let run: string | undefined;
  let requests = 0;
  let timer: NodeJS.Timeout | undefined;
  const look = (): void => {
    if (death?.requests === requests)
      timer = setTimeout(() => child.kill("SIGKILL"), death.delayMs);
  };
  talk.onBody = () => {
    requests += 1;
    look();
  };
  child.on("message", (message: "ready" | { readonly run: string }) => {
    if (message === "ready") look();
    else run = message.run;
  });
  const [code, signal] = await new Promise<[number | null, string | null]>((resolve) => {
    child.on("exit", (...ended) => resolve(ended));
  });
  clearTimeout(timer);
  talk.onBody = undefined;
  if (code !== 0 && signal !== "SIGKILL") throw new Error(`the process ended with ${code}`);
  return run;
}
