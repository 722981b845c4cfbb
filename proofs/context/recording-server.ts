/**
 * A provider in the shape of OpenAI and of Anthropic, over HTTP. It records every body that it was
 * sent whole, by the talk that its address names, and refuses what a provider would.
 */
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";
import { setTimeout as sleep } from "node:timers/promises";
import { answerBy } from "./answer-by.ts";
import { countTokens, isWhole } from "./sent.ts";
import { type Provider, WIRES } from "./wires.ts";

/** What one talk was sent. */
export interface Talk {
  readonly provider: Provider;
  /** The most tokens that a request may have; more is refused. */
  readonly windowTokens?: number;
  readonly bodies: string[];
  /** The most tokens that a request had. */
  tokensMost: number;
  tooLong: number;
  /** Requests with a tool call that has no result, or the other way around. */
  torn: number;
  /** Told of every body, before it is answered. */
  onBody?: (() => void) | undefined;
}

export interface RecordingServer {
  /** A new talk, and the address at which a model of its provider is asked. */
  open(given: Pick<Talk, "provider" | "windowTokens">): { readonly talk: Talk; url: string };
  close(): void;
}

const OUTPUT_TOKENS = 20;

/** Each answer takes that long, so that a kill also finds requests under way. */
export async function startRecordingServer(answerMs: number): Promise<RecordingServer> {
  const talks: Talk[] = [];
  const server = createServer((request, response) => {
    const talk = talks[Number(request.url?.split("/")[1])];
    const reply = (status: number, answer: object): void => {
      response.writeHead(status, { "content-type": "application/json" });
      response.end(JSON.stringify(answer));
    };
    if (talk === undefined) return reply(404, {});
    void text(request).then(
      async (body) => {
        const answer = hear(talk, body);
        await sleep(answerMs);
        if (answer === undefined) reply(400, { error: { message: "the request is refused" } });
        else reply(200, answer);
      },
      // Whoever asked is gone, and has not asked whole.
      () => response.destroy(),
    );
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  return {
    open: (given) => {
      const talk: Talk = { ...given, bodies: [], tokensMost: 0, tooLong: 0, torn: 0 };
      const place = talks.push(talk) - 1;
      return { talk, url: `http://127.0.0.1:${port}/${place}` };
    },
    close: () => {
      server.close();
      server.closeAllConnections();
    },
  };
}

/** The answer, or undefined for what is refused. */
function hear(talk: Talk, body: string): object | undefined {
  const { provider, windowTokens = Number.POSITIVE_INFINITY } = talk;
  const wire = WIRES[provider];
  const sent = wire.read(body);
  const tokens = countTokens(sent);
  talk.bodies.push(body);
  talk.onBody?.();
  talk.tokensMost = Math.max(talk.tokensMost, tokens);
  const [isTooLong, isTorn] = [tokens > windowTokens, !isWhole(sent)];
  talk.tooLong += isTooLong ? 1 : 0;
  talk.torn += isTorn ? 1 : 0;
  if (isTooLong || isTorn) return undefined;
  return wire.write(answerBy(sent), { input: tokens, output: OUTPUT_TOKENS });
}
