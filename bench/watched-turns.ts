import { createLocalHost } from "@turnseal/host";
import { type Model, memoryLiveBus, memoryStores, type Signer, systemClock } from "@turnseal/ports";
import { createServer } from "@turnseal/server";
import { median } from "./median.ts";
import { createSigner, sampleLoops, startSampleRun } from "./sample-turn.ts";

/** Pieces of each answer. */
const PIECES = 20;
const ROUNDS = 5;

/** What a turn costs whose answer somebody watches come, early and late in a run. */
export async function measureWatchedTurns(): Promise<{ shortUs: number; longUs: number }> {
  const signer = createSigner();
  await measure(signer, { turns: 1_000, runs: 1 });
  const short: number[] = [];
  const long: number[] = [];
  for (let round = 0; round < ROUNDS; round++) {
    short.push(await measure(signer, { turns: 10, runs: 100 }));
    long.push(await measure(signer, { turns: 1_000, runs: 1 }));
  }
  return { shortUs: median(short), longUs: median(long) };
}

const talker: Model = {
  defaultModel: "talker",
  generate: async ({ onDelta }) => {
    const text = `{"right":2${" ".repeat(PIECES)}}`;
    for (const piece of text.match(/.{1,2}/g) ?? [])
      onDelta?.({ kind: "text", part: 0, text: piece });
    const usage = { inputTokens: 10, outputTokens: 5 };
    return { content: [{ kind: "text", text }], finishReason: "stop", usage };
  },
};

/** Microseconds of the processor for one turn, with its session told to one reader. */
async function measure(
  signer: Signer,
  { turns, runs }: { readonly turns: number; readonly runs: number },
): Promise<number> {
  const stores = memoryStores(systemClock);
  const live = memoryLiveBus();
  const models = { instant: talker };
  const host = createLocalHost({ loops: sampleLoops.loops, models, stores, signer, live });
  const server = createServer({
    tenants: () => ({ ...host, stores, live }),
    agents: {},
    authenticate: () => ({ tenant: "bench", id: "bench", roles: [] }),
    limits: { requestsMax: Number.MAX_SAFE_INTEGER, bufferBytesMax: Number.MAX_SAFE_INTEGER },
  });
  const before = process.threadCpuUsage();
  for (let made = 0; made < runs; made++) {
    const run = await startSampleRun(host, turns);
    const { body } = await server.fetch(new Request(`http://bench/v1/runs/${run}/stream`));
    const told = readToEnd(body);
    await host.advance(run, { sliceMs: Number.POSITIVE_INFINITY });
    if (!(await told).includes('"status":"done"')) throw new Error("the end was not told");
  }
  const { user, system } = process.threadCpuUsage(before);
  await server.close();
  return (user + system) / (turns * runs);
}

/** Reads until the run is done, and returns the end of the stream. */
async function readToEnd(body: ReadableStream<Uint8Array> | null): Promise<string> {
  const decoder = new TextDecoder();
  let tail = "";
  for await (const bytes of body ?? []) {
    tail = (tail + decoder.decode(bytes, { stream: true })).slice(-4_096);
    if (tail.includes('"status":"done"')) return tail;
  }
  return tail;
}
