/** A worker of the durable host that is started again whenever it was killed. */
import type { ChildProcess } from "node:child_process";
import { startProcess } from "../kit/processes.ts";
import { type Chat, planDeath } from "./chat-stage.ts";

export interface WorkerOptions {
  readonly program: string;
  /** Its settings. */
  readonly settings: object;
  /** Once the first one serves. */
  readonly onFirst: () => Promise<void>;
}

export interface KeptWorker {
  /** Settles when the first one serves; rejects when one ends that nobody has killed. */
  readonly first: Promise<void>;
  readonly lives: Promise<void>;
  /** Ends the last one; answers how many were killed before. */
  end(): Promise<number>;
}

export function keepWorker(chat: Chat, options: WorkerOptions): KeptWorker {
  let [kills, isOver] = [0, false];
  let child: ChildProcess | undefined;
  let onServing = (): void => {};
  const first = new Promise<void>((resolve) => {
    onServing = resolve;
  });
  const live = async (): Promise<void> => {
    for (let life = 0; !isOver; life++) {
      child = startProcess(options.program, [JSON.stringify(options.settings)]);
      const ended = endOf(child);
      const plan = planDeath(child, chat.talk, chat.nextDeath());
      const isServing = await Promise.race([messageOf(child), ended.then(() => false)]);
      if (isServing && life === 0) await options.onFirst();
      if (isServing) onServing();
      if (isServing) plan.begin();
      const signal = await ended;
      plan.end();
      if (isOver) return;
      if (signal !== "SIGKILL") throw new Error("the worker ended by itself");
      kills += 1;
    }
  };
  const lives = live();
  return {
    first: Promise.race([first, lives]),
    lives,
    end: async () => {
      isOver = true;
      child?.kill("SIGKILL");
      await lives;
      return kills;
    },
  };
}

function messageOf(child: ChildProcess): Promise<true> {
  return new Promise((resolve) => child.once("message", () => resolve(true)));
}

function endOf(child: ChildProcess): Promise<NodeJS.Signals | null> {
  return new Promise((resolve) => child.once("exit", (_, signal) => resolve(signal)));
}
