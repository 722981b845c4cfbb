/**
 * One session, from the first word to the last: what a person says and does, in one tab or two,
 * over a bad line.
 */
import { setTimeout as sleep } from "node:timers/promises";
import { createSessionClient, type SessionClient, type SessionView } from "@turnseal/client";
import type { CommandAnswer } from "@turnseal/client/fold";
import type { Random } from "../simulate/random.ts";
import type { Recording } from "./mutants.ts";

export interface Line {
  /** Through the network as it is. */
  readonly url: string;
  readonly token: string;
}

export interface Tab {
  client: SessionClient;
  recording: Recording;
}

/** How often a person did what makes a session hard. */
export interface Deeds {
  refreshes: number;
  refreshesWhileAsked: number;
  sleeps: number;
  contests: number;
  aborts: number;
}

export interface Talk {
  readonly run: string;
  readonly tabs: readonly Tab[];
  readonly deeds: Deeds;
  /** The messages, in order. */
  readonly said: readonly string[];
  /** The texts that were shown of each message while it was written. */
  readonly shown: ReadonlyMap<string, ReadonlySet<string>>;
  /** False when something that was expected did not come. */
  readonly isComplete: boolean;
}

/** Milliseconds after which nobody expects an answer any more. */
const PATIENCE_MS = 60_000;
/** Milliseconds between two looks at a tab. */
const GLANCE_MS = 5;

export async function holdTalk(line: Line, random: Random, name: string): Promise<Talk> {
  const [first = "", ...others] = drawWords(random, name);
  const run = await startRun(line, { key: name, text: first });
  const talk = {
    run,
    tabs: [] as Tab[],
    deeds: { refreshes: 0, refreshesWhileAsked: 0, sleeps: 0, contests: 0, aborts: 0 },
    said: [first],
    shown: new Map<string, Set<string>>(),
    isComplete: true,
  };
  const count = random.chance(0.5) ? 2 : 1;
  for (let tab = 0; tab < count; tab++) talk.tabs.push(openTab(line, talk));
  const hear = (words: string, isLast: boolean) => hearOut(line, talk, { random, words, isLast });
  talk.isComplete = await hear(first, others.length === 0);
  for (const words of others) {
    if (!talk.isComplete) break;
    const answer = await say(random.pick(talk.tabs), words);
    // A run that was rejected or has failed has ended, and takes no more messages.
    if (answer.kind === "refused" && answer.refusal.code === "RUN_ENDED") break;
    talk.said.push(words);
    talk.isComplete = answer.kind === "accepted" && (await hear(words, words === others.at(-1)));
  }
  return talk;
}

/** Says it again, under the same key, until somebody has heard it. */
async function say({ client }: Tab, words: string): Promise<CommandAnswer> {
  const endsAtMs = performance.now() + PATIENCE_MS;
  for (;;) {
    const answer = await client.send(words, words);
    if (answer.kind !== "unreachable" || performance.now() > endsAtMs) return answer;
  }
}

interface OpenTalk extends Omit<Talk, "shown"> {
  readonly shown: Map<string, Set<string>>;
}

function drawWords(random: Random, name: string): string[] {
  const count = random.between(1, 3);
  const draw = (at: number): string => {
    // A failure ends the session.
    const last = at === count - 1 ? ["fail"] : [];
    const verb = random.pick(["tell", "tell", "tell", "pay", "pay", "look", ...last]);
    const size = verb === "tell" ? random.between(5, 40) : random.between(1, 9);
    return `${name}.${at}: ${verb} ${size}`;
  };
  return Array.from({ length: count }, (_, at) => draw(at));
}

/** Watches until the words are answered, and does meanwhile what people do. */
async function hearOut(
  line: Line,
  talk: OpenTalk,
  { random, words, isLast }: { random: Random; words: string; isLast: boolean },
): Promise<boolean> {
  const endsAtMs = performance.now() + PATIENCE_MS;
  const moods = {
    refresh: random.chance(0.3),
    refreshWhileAsked: random.chance(0.4),
    sleep: random.chance(0.2),
    // A run that is stopped takes nothing more.
    abort: isLast && random.chance(0.15),
  };
  while (performance.now() < endsAtMs) {
    const tab = random.pick(talk.tabs);
    const view = tab.client.state();
    if (isAnswered(view, words)) return true;
    const isWriting = view.items.some((item) => "isPartial" in item && item.isPartial);
    const [request] = view.requests;
    if (isWriting && moods.refresh && random.chance(0.2)) {
      moods.refresh = false;
      talk.deeds.refreshes += 1;
      refresh(line, talk, tab);
    } else if (isWriting && moods.sleep && random.chance(0.2)) {
      moods.sleep = false;
      talk.deeds.sleeps += 1;
      tab.client.close();
      await sleep(random.below(30));
      tab.client.connect();
    } else if (isWriting && moods.abort && random.chance(0.2)) {
      moods.abort = false;
      talk.deeds.aborts += 1;
      await tab.client.abort();
    } else if (request !== undefined && moods.refreshWhileAsked) {
      moods.refreshWhileAsked = false;
      talk.deeds.refreshesWhileAsked += 1;
      refresh(line, talk, tab);
    } else if (request !== undefined) await decide(talk, request.id, random);
    await sleep(GLANCE_MS);
  }
  return false;
}

/** A person with two tabs may approve in one and reject in the other. */
async function decide(talk: OpenTalk, approval: string, random: Random): Promise<void> {
  const [first, second] = talk.tabs;
  const isContested = second !== undefined && random.chance(0.5);
  if (isContested) talk.deeds.contests += 1;
  const choice = random.pick(["approve", "reject"] as const);
  const other = choice === "approve" ? "reject" : "approve";
  await Promise.all([
    first?.client.decide({ approval, choice }),
    isContested ? second.client.decide({ approval, choice: other }) : undefined,
  ]);
}

function isAnswered({ items, status, requests }: SessionView, words: string): boolean {
  if (status === "done") return true;
  const at = items.findIndex((item) => item.kind === "user" && item.text === words);
  if (at < 0 || status !== "waiting" || requests.length > 0) return false;
  const isEnd = (kind: string) => ["assistant", "abort", "failure"].includes(kind);
  return items
    .slice(at)
    .some((item) => isEnd(item.kind) && !("isPartial" in item && item.isPartial));
}

function openTab(line: Line, talk: Pick<OpenTalk, "run" | "shown">): Tab {
  const recording: string[] = [];
  const client = createSessionClient({
    ...line,
    run: talk.run,
    backoff: { firstMs: 10, mostMs: 250 },
    silenceMs: 5_000,
    fetch: recordStreams(recording),
  });
  client.subscribe(() => {
    for (const item of client.state().items) {
      if (!("isPartial" in item) || !item.isPartial) continue;
      const texts = talk.shown.get(item.id) ?? new Set();
      talk.shown.set(item.id, texts.add(item.text));
    }
  });
  client.connect();
  return { client, recording };
}

/** A page that is loaded again knows nothing. */
function refresh(line: Line, talk: OpenTalk, tab: Tab): void {
  tab.client.close();
  Object.assign(tab, openTab(line, talk));
}

/** Keeps what every connection brought, up to where it broke. */
function recordStreams(recording: string[]): typeof fetch {
  return async (input, init) => {
    const response = await fetch(input, init);
    if (response.body === null || !response.headers.get("content-type")?.startsWith("text/event"))
      return response;
    const at = recording.push("") - 1;
    const decoder = new TextDecoder();
    const body = response.body.pipeThrough(
      new TransformStream<Uint8Array<ArrayBuffer>, Uint8Array<ArrayBuffer>>({
        transform: (bytes, controller) => {
          recording[at] += decoder.decode(bytes, { stream: true });
          controller.enqueue(bytes);
        },
      }),
    );
    return new Response(body, response);
  };
}

async function startRun(
  { url, token }: Line,
  { key, text }: { readonly key: string; readonly text: string },
): Promise<string> {
  const endsAtMs = performance.now() + PATIENCE_MS;
  while (performance.now() < endsAtMs) {
    const response = await fetch(`${url}/v1/runs`, {
      method: "POST",
      headers: { "content-type": "application/json", authorization: `Bearer ${token}` },
      body: JSON.stringify({ agent: "chat", input: { text }, key }),
    }).catch(() => undefined);
    if (response?.ok) return ((await response.json()) as { run: string }).run;
    if (response !== undefined && response.status < 500) throw new Error(await response.text());
    await sleep(20);
  }
  throw new Error("the server did not start a run");
}
