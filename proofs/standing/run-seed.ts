/**
 * One run from a seed: a model asks for payments beside each other, people let approvals stand and
 * revoke them, time passes, and workers die before and after their appends.
 */
import { createLocalHost, type LocalHost } from "@turnseal/host";
import {
  createMemorySigner,
  manualClock,
  memoryStores,
  type Stores,
  seededIds,
} from "@turnseal/ports";
import { canonicalize, type JsonValue, type LoopEvent, toRaw } from "@turnseal/protocol";
import { definePrompt, defineTool, jsonSchema } from "@turnseal/protocol/authoring";
import { toBase64, verifyRun } from "@turnseal/protocol/receipts";
import { createRandom, type RandomSource } from "../kit/random-source.ts";
import { countDraws, type DrawCounts } from "./draw-faults.ts";

interface Payment {
  readonly to: string;
  readonly cents: number;
}

const MOVES = 24;
const CRASH = new Error("crash");
const signer = await createMemorySigner();
const by = (id: string) => ({ id, roles: ["finance"] });
const text = jsonSchema<JsonValue>(true);

interface World {
  readonly random: RandomSource;
  readonly clock: ReturnType<typeof manualClock>;
  readonly stores: Stores;
  readonly paid: Payment[];
}

export interface SeedReport extends DrawCounts {
  readonly crashes: number;
}

export async function runSeed(seed: number): Promise<SeedReport> {
  const clock = manualClock();
  const random = createRandom(seed);
  const world: World = { random, clock, stores: memoryStores(clock), paid: [] };
  let host = openHost(world);
  const run = await startRun(host, world);
  let crashes = 0;
  for (let move = 0; move < MOVES; move++) {
    try {
      await makeMove(host, { run, move, world });
    } catch (error) {
      if (error !== CRASH) throw error;
      crashes += 1;
      // Another worker takes the run.
      host = openHost(world);
    }
  }
  const events = await world.stores.log.read(run, 1);
  const counts = countDraws(events);
  const faults = [...counts.faults, ...checkPaid(events, world), ...(await verify(run, world))];
  return { ...counts, faults, crashes };
}

/** A worker whose next append fails now and then, before it is durable or after. */
function openHost({ random, clock, stores, paid }: World): LocalHost {
  const dies = random.below(3) === 0 ? 1 + random.below(12) : Number.POSITIVE_INFINITY;
  const isBefore = random.below(2) === 0;
  let appends = 0;
  const mortal: Stores = {
    ...stores,
    log: {
      ...stores.log,
      append: async (batch) => {
        appends += 1;
        if (appends === dies && isBefore) throw CRASH;
        const answer = await stores.log.append(batch);
        if (appends === dies) throw CRASH;
        return answer;
      },
    },
  };
  const pay = defineTool({
    ...{ id: "pay", version: "1.0.0", effect: "idempotent", build: "1" },
    input: jsonSchema<Payment>({ type: "object" }),
    output: text,
    run: (input) => {
      paid.push(input);
      return { paid: input.cents };
    },
  });
  const desk = definePrompt({
    ...{ id: "desk", version: "1.0.0", tools: [{ loop: pay, independent: true }] },
    input: jsonSchema<{ readonly word: string }>({ type: "object" }),
    output: text,
    template: "{{word}}",
  });
  const models = { scripted: { defaultModel: "scripted", generate: askForPayments } };
  const ids = seededIds("standing");
  return createLocalHost({ loops: [pay, desk], stores: mortal, signer, clock, ids, models });
}

type Generate = NonNullable<Parameters<typeof createLocalHost>[0]["models"]>[string]["generate"];

/** The payments follow from what the model is sent: its words say how many, and to whom. */
const askForPayments: Generate = async ({ messages }) => {
  const asked = messages.findLastIndex(({ role }) => role === "user");
  const isTold = messages.slice(asked).some(({ role }) => role === "tool");
  const usage = { inputTokens: 1, outputTokens: 1 };
  if (isTold) return { content: [{ kind: "text", text: "done" }], finishReason: "stop", usage };
  const [, count = "1", first = "0"] =
    /pay (\d) from (\d)/.exec(JSON.stringify(messages[asked])) ?? [];
  const content = Array.from({ length: Number(count) }, (_, index) => {
    const place = Number(first) + index;
    const input = {
      to: place % 5 === 4 ? `b/${place}` : `a/${place}`,
      cents: 100 * (1 + (place % 3)),
    };
    const call = { toolCallId: `call-${index}`, toolName: "local__pay" };
    return { kind: "tool-call" as const, ...call, input: JSON.stringify(input) };
  });
  return { content, finishReason: "tool-calls", usage };
};

async function startRun(host: LocalHost, { random }: World): Promise<string> {
  const desk = host.registry.resolve("desk", "1.0.0");
  if (desk === undefined) throw new Error("the desk is not registered");
  const mayStand = { uses: 6, withinMs: 60_000 };
  const rule = { id: "pay", decision: "ask", role: "finance", onReject: "tell" } as const;
  return host.start({ definition: desk.definition } as never, { word: sayWords(random) } as never, {
    ...{ key: "one", by: "carol" },
    grant: { grantor: "ada", tools: ["local.pay"], budget: { effects: 500, toolCalls: 500 } },
    policy: { name: "rules", rules: [{ ...rule, mayStand }] },
    bounds: {
      awaits: ["message"],
      nextInput: { word: "$.signals.message.word" },
      turnsMax: 100,
      resumesMax: 100,
    },
  });
}

const sayWords = (random: RandomSource): string =>
  `pay ${1 + random.below(4)} from ${random.below(6)}`;

interface Place {
  readonly run: string;
  readonly move: number;
  readonly world: World;
}

async function makeMove(host: LocalHost, { run, move, world }: Place): Promise<void> {
  const { random, clock } = world;
  switch (random.below(8)) {
    case 0:
      clock.advance(random.below(40_000));
      break;
    case 1:
      for (const { id } of (await host.standing(run)).slice(0, 1 + random.below(2)))
        await host.revoke(run, id, by("bob"));
      break;
    case 2:
    case 3:
      await say(host, { run, move, world });
      break;
    default:
      await decide(host, run, random);
  }
  await host.advance(run);
}

async function say(host: LocalHost, { run, move, world }: Place): Promise<void> {
  const payload = { word: sayWords(world.random) };
  await host.signal(run, { name: "message", payload, by: "carol", key: String(move) });
}

/** People approve once, let it stand, or reject. */
async function decide(host: LocalHost, run: string, random: RandomSource): Promise<void> {
  for (const { id, kind } of await host.requests(run)) {
    if (kind !== "approval" || random.below(6) === 0) continue;
    const terms = {
      uses: 1 + random.below(4),
      withinMs: 1 + random.below(60_000),
      ...(random.below(2) === 0 ? { amounts: { effects: 1 + random.below(3) } } : {}),
    };
    const pattern = { to: { glob: "a/*" }, cents: { atMost: 300 } };
    const choice = random.below(8) === 0 ? "reject" : "approve";
    const stands = choice === "approve" && random.below(2) === 0;
    const given = stands ? { standing: terms, pattern } : {};
    await host.decide(run, id, { choice, by: by("ada"), ...given }).catch(passExpected);
  }
}

/** A request may have expired, and more may stand than a run can have. */
function passExpected(error: unknown): void {
  const code = (error as { readonly code?: string }).code ?? "";
  if (!["REQUEST_UNKNOWN", "ANSWER_REFUSED"].includes(code)) throw error;
}

/** Each payment outside has a claim: nothing is done that the log does not name. */
function checkPaid(events: readonly LoopEvent[], { paid }: World): string[] {
  const claims = events.filter(
    (event) =>
      event.type === "action.claimed" &&
      event.content.action === "tool" &&
      event.content.approval !== undefined,
  );
  return paid.length > claims.length
    ? [`${paid.length} payments under ${claims.length} claims`]
    : [];
}

/** The findings of a verifier that reads the content, too. A turn that is open is none. */
async function verify(run: string, { stores }: World): Promise<string[]> {
  const events = await stores.log.read(run, 1);
  const receipts = (await stores.receipts.list(run, 1)).map(({ envelope }) =>
    canonicalize(envelope),
  );
  const publicKey = { keyId: signer.keyId, x: signer.x };
  const validFrom = "1970-01-01T00:00:00.000Z";
  const keys = [{ ...publicKey, issuer: "development" as const, validFrom }];
  const content = await readContent(run, events, stores);
  const { findings } = await verifyRun({ run, events, receipts, content }, { keys });
  const open = ["RUN_UNSEALED", "TAIL_UNSEALED"];
  return findings.filter(({ code }) => !open.includes(code)).map(({ code }) => code);
}

/** Patterns and arguments, which the verifier compares. */
async function readContent(run: string, events: readonly LoopEvent[], { blobs: store }: Stores) {
  const blobs: Record<string, string> = {};
  for (const { content } of events.map(toRaw)) {
    const { pattern, request } = content;
    for (const reference of [pattern, request]) {
      const { digest } = Object(reference) as { readonly digest?: string };
      const bytes = digest === undefined ? undefined : await store.read(run, digest);
      if (digest !== undefined && bytes !== undefined) blobs[digest] = toBase64(bytes);
    }
  }
  return { key: toBase64((await store.readKey(run)) ?? new Uint8Array()), blobs };
}
