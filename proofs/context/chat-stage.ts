/** Where a chat is held while its process is killed again and again. */
import type { ChildProcess } from "node:child_process";
import type { RunJudgement } from "./judge-run.ts";
import type { Talk } from "./recording-server.ts";
import type { Provider } from "./wires.ts";

export interface Chat {
  readonly provider: Provider;
  readonly turns: number;
  /** The provider's record of the talk, and its address. */
  readonly talk: Talk;
  readonly url: string;
  /** When the next process is to be killed; undefined lets it live. */
  nextDeath(): Death | undefined;
}

/** When a process is killed: some time after so many requests, or after it began. */
export interface Death {
  readonly requests: number;
  readonly delayMs: number;
}

export interface HeldChat extends RunJudgement {
  readonly kills: number;
}

export interface ChatStage {
  /** The requests that every process lives to see. */
  readonly requestsMin: number;
  /** A kill comes within this time after the request that it waits for. */
  readonly delayMs: number;
  /** A chat to its end, and what is left of it. */
  hold(chat: Chat): Promise<HeldChat>;
  close(): Promise<void>;
}

/** Kills a process when its time has come, counted from `begin` on. */
export function planDeath(child: ChildProcess, talk: Talk, death: Death | undefined) {
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
  return {
    begin: look,
    end: () => {
      clearTimeout(timer);
      talk.onBody = undefined;
    },
  };
}
