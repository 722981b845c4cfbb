/** A chat as a person has it: the words of each turn, and the start of its run. */
import type { LocalHost, StartOptions } from "@turnseal/host";
import { grant, type TalkingHost } from "./talking-host.ts";

/** More than a chat ever needs. */
export const CHAT_TOKENS_MAX = 1_000_000;

/** Begins the chat of that name, or finds it. */
export function startChat(
  { host, agent }: Pick<TalkingHost, "host" | "agent">,
  key: string,
): Promise<string> {
  const bounds: StartOptions["bounds"] = {
    ...{ awaits: ["message"], nextInput: { words: "$.signals.message" } },
    ...{ turnsMax: 1_000, resumesMax: 1_000, failuresMax: 1 },
  };
  return host.start(agent, { words: wordsOf(1) }, { key, grant, bounds });
}

/** Says what a turn begins with. Repeating it has no effect. */
export async function sayWords(host: LocalHost, run: string, turn: number): Promise<void> {
  const signal = { name: "message", payload: wordsOf(turn), key: `message ${turn}`, by: "person" };
  await host.signal(run, signal);
}

/** The turns that are over. */
export async function countTurns(host: LocalHost, run: string): Promise<number> {
  return (await host.show(run))?.lastTurn?.turn ?? 0;
}

function wordsOf(turn: number): string {
  return `This is thing ${turn}.`;
}
