/**
 * Runs a chat once undisturbed, and then again with its process killed at random moments, until
 * there were enough kills. The provider must receive the same, byte for byte.
 */
import type { Say } from "../../tools/command/progress.ts";
import { createRandom } from "../kit/random-source.ts";
import type { ChatStage, Death } from "./chat-stage.ts";
import { startRecordingServer } from "./recording-server.ts";
import type { Provider } from "./wires.ts";

const ANSWER_MS = 5;

export interface ChatOptions {
  readonly provider: Provider;
  readonly turns: number;
  readonly kills: number;
  readonly seed: number;
  readonly say: Say;
  readonly stage: ChatStage;
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
  const { provider, turns, kills, stage, say } = options;
  const server = await startRecordingServer(ANSWER_MS);
  const deaths = chooseDeaths(options);
  const holdChat = async (killsMax: number) => {
    const { talk, url } = server.open({ provider });
    let left = killsMax;
    const nextDeath = (): Death | undefined => {
      left -= 1;
      return left < 0 ? undefined : deaths();
    };
    const held = await stage.hold({ provider, turns, talk, url, nextDeath });
    return { ...held, bodies: talk.bodies, torn: talk.torn };
  };
  try {
    const whole = await holdChat(0);
    const figures: ChatFigures = {
      ...{ chats: 0, kills: 0, requests: whole.bodies.length, repeated: 0, unequal: 0 },
      ...{ torn: whole.torn, turns: 0, differing: whole.differing, findings: whole.findings },
    };
    while (figures.kills < kills) {
      const chat = await holdChat(kills - figures.kills);
      const distinct = chat.bodies.filter((body, index) => body !== chat.bodies[index - 1]);
      figures.chats += 1;
      figures.repeated += chat.bodies.length - distinct.length;
      figures.unequal += isEqual(distinct, whole.bodies) ? 0 : 1;
      for (const field of ["kills", "torn", "turns", "differing", "findings"] as const)
        figures[field] += chat[field];
      say(`${figures.kills} of ${kills} kills`);
    }
    return figures;
  } finally {
    server.close();
  }
}

function isEqual(one: readonly string[], other: readonly string[]): boolean {
  return one.length === other.length && one.every((body, index) => body === other[index]);
}

/** By requests, not by time alone: so kills come all over the chat, however slow the machine is. */
function chooseDeaths({ turns, kills, seed, stage }: ChatOptions): () => Death {
  const random = createRandom(seed);
  const requestsMore = Math.max(1, Math.floor((2 * turns) / kills));
  return () => ({
    requests: stage.requestsMin + random.below(requestsMore + 1),
    delayMs: random.below(stage.delayMs),
  });
}
