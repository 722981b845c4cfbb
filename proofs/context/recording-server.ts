/**
 * A provider in the shape of OpenAI and of Anthropic, over HTTP. It records every body that it was
 * sent whole, by the talk that its address names, and refuses what a provider would.
 */
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";
import { setTimeout as sleep } from "node:timers/promises";
import { answerBy } from "./answer-by.ts";
import {
  charge,
  countUsage,
  createProviderCache,
  type ProviderCache,
  type TokenPrices,
} from "./provider-cache.ts";
import { isWhole } from "./sent.ts";
import { type Provider, WIRES } from "./wires.ts";

/** The requests of one talk. */
export interface Talk {
  readonly provider: Provider;
  /** The most tokens that a request may have; more is refused. */
  readonly windowTokens?: number;
  /** Its prices; nothing by default. */
  readonly prices?: TokenPrices;
  readonly cache: ProviderCache;
  readonly bodies: string[];
  /** Of all answered requests: their tokens, and the cached ones among them. */
  tokens: number;
  repeated: number;
  /** Requests that are not the one before with something at its end. */
  breaks: number;
  /** The charge for them, in micro-units of money, and the number of tokens read from the cache. */
  micros: number;
  cacheRead: number;
  /** The most tokens that a request had. */
  tokensMost: number;
  tooLong: number;
  /** Requests with a tool call that has no result, or the other way around. */
  torn: number;
  /** Told of every body, before it is answered. */
  onBody?: (() => void) | undefined;
}

type TalkTerms = Pick<Talk, "provider" | "windowTokens" | "prices">;

export interface RecordingServer {
  /** A new talk, and the address of its provider. */
  open(given: TalkTerms): { readonly talk: Talk; url: string };
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
        const { status, answer } = hear(talk, body);
        await sleep(answerMs);
        reply(status, answer);
      },
      // The client is gone before the request was complete.
      () => response.destroy(),
    );
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  return {
    open: (given) => {
      const talk: Talk = {
        ...{
          ...given,
          cache: createProviderCache(),
          bodies: [],
          tokens: 0,
          repeated: 0,
          breaks: 0,
        },
        ...{ micros: 0, cacheRead: 0, tokensMost: 0, tooLong: 0, torn: 0 },
      };
      const place = talks.push(talk) - 1;
      return { talk, url: `http://127.0.0.1:${port}/${place}` };
    },
    close: () => {
      server.close();
      server.closeAllConnections();
    },
  };
}

interface Heard {
  readonly status: number;
  readonly answer: object;
}

function hear(talk: Talk, body: string): Heard {
  const { provider, windowTokens = Number.POSITIVE_INFINITY, prices, cache } = talk;
  const wire = WIRES[provider];
  const sent = wire.read(body);
  talk.bodies.push(body);
  talk.onBody?.();
  const read = cache.read(sent.pieces);
  talk.tokensMost = Math.max(talk.tokensMost, read.all);
  if (read.all > windowTokens) {
    talk.tooLong += 1;
    return { status: 400, answer: wire.refuse(read.all, windowTokens) };
  }
  if (!isWhole(sent)) {
    talk.torn += 1;
    return { status: 400, answer: { error: { message: "a tool call has no result" } } };
  }
  const usage = countUsage(read, wire.cache, OUTPUT_TOKENS);
  talk.tokens += read.all;
  talk.repeated += read.repeated;
  talk.breaks += read.isWhole ? 0 : 1;
  talk.cacheRead += usage.cacheRead;
  talk.micros += prices === undefined ? 0 : charge(usage, prices);
  return { status: 200, answer: wire.write(answerBy(sent), usage) };
}
