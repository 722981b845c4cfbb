/**
 * Compares what the tabs of a session show with what the server's own view of the log says, and
 * whether clients that are wrong would have been noticed.
 */
import { setTimeout as sleep } from "node:timers/promises";
import { isDeepStrictEqual } from "node:util";
import type { SessionItem } from "@turnseal/client";
import { type Frame, parseFrame } from "@turnseal/client/fold";
import type { EventEnvelope } from "@turnseal/protocol/events";
import { expectItems, showItems } from "./expected-items.ts";
import { CARELESS_DELTAS, REDUCERS, replay } from "./mutants.ts";
import type { Line, Tab, Talk } from "./person.ts";

export interface Verdict {
  /** What is wrong, in words; empty when everything is as it must be. */
  readonly problems: readonly string[];
  readonly envelopes: number;
  /** The wrong clients that were noticed. */
  readonly caught: readonly string[];
  /** Payments that the session shows as done. */
  readonly payments: number;
}

/** Milliseconds after which a tab that shows something else is wrong. */
const PATIENCE_MS = 60_000;

/** `server` is a direct connection: the faulty network is not part of the verdict. */
export async function judgeTalk(server: Line, talk: Talk): Promise<Verdict> {
  const endsAtMs = performance.now() + PATIENCE_MS;
  for (;;) {
    const logged = await readLog(server, talk.run);
    const expected = expectItems(logged.events);
    const isPatient = performance.now() < endsAtMs;
    const wrong = talk.tabs.filter((tab) => !isShown(tab, expected, logged.status));
    if (wrong.length > 0 && isPatient) {
      await sleep(25);
      continue;
    }
    return {
      problems: [
        ...(talk.isComplete ? [] : ["no answer came"]),
        ...wrong.map(
          (tab) =>
            `a tab shows ${JSON.stringify([describeTab(tab), tab.client.state().connection])}`,
        ),
        ...(wrong.length === 0 ? [] : [`the log says ${JSON.stringify(expected)}`]),
        ...checkSaid(talk, logged.events),
        ...checkShown(talk, logged.events),
      ],
      envelopes: logged.events.length,
      caught: listCaught(talk, expected, logged.events),
      payments: countPayments(logged.events),
    };
  }
}

type Status = Extract<Frame, { kind: "state" }>["status"];

function isShown(tab: Tab, expected: unknown[], status: Status): boolean {
  const shown = { items: expected, status: status.status, stopped: status.stopped };
  const requests = status.requests.map(({ id }) => id);
  return isDeepStrictEqual(describeTab(tab), { ...shown, requests });
}

function describeTab({ client }: Tab) {
  const { items, status, stopped, requests } = client.state();
  return { items: showItems(items), status, stopped, requests: requests.map(({ id }) => id) };
}

/** A message sent many times is in the log once. */
function checkSaid({ said }: Talk, events: readonly EventEnvelope[]): string[] {
  return said.flatMap((words) => {
    const count = events.filter(
      (event) => event.type === "user-message" && event.content.text === words,
    ).length;
    return count === 1 ? [] : [`"${words}" was said once and stands there ${count} times`];
  });
}

/** Every text that was shown while a message was written is a beginning of the message. */
function checkShown({ shown }: Talk, events: readonly EventEnvelope[]): string[] {
  return [...shown].flatMap(([message, texts]) => {
    const stored = textOf(events, message);
    if (stored === undefined) return [];
    const isWrong = [...texts].some((text) => !stored.startsWith(text));
    return isWrong ? [`a text was shown that is not a beginning of ${message}`] : [];
  });
}

function textOf(events: readonly EventEnvelope[], message: string): string | undefined {
  const stored = events.find((event) => event.message === message);
  return stored !== undefined && "text" in stored.content ? stored.content.text : undefined;
}

function listCaught(talk: Talk, expected: unknown[], events: readonly EventEnvelope[]): string[] {
  const { run, tabs } = talk;
  const endOf = (tab: Tab, name: string): readonly SessionItem[] => {
    const reducer = REDUCERS[name];
    return reducer === undefined ? [] : ([...replay(run, tab.recording, reducer)].at(-1) ?? []);
  };
  const names = Object.keys(REDUCERS).filter((name) =>
    tabs.some((tab) => !isDeepStrictEqual(showItems(endOf(tab, name)), expected)),
  );
  const isCareless = tabs.some((tab) =>
    [...replay(run, tab.recording, CARELESS_DELTAS)].some((items) =>
      items.some((item) => {
        const isPartial = "isPartial" in item && item.isPartial;
        return isPartial && textOf(events, item.id)?.startsWith(item.text) === false;
      }),
    ),
  );
  return isCareless ? [...names, "careless pieces"] : names;
}

function countPayments(events: readonly EventEnvelope[]): number {
  return events.filter(
    (event) => event.type === "tool-result" && event.content.toolName.endsWith("pay"),
  ).length;
}

interface Logged {
  readonly events: readonly EventEnvelope[];
  readonly status: Status;
}

async function readLog(server: Line, run: string): Promise<Logged> {
  for (;;) {
    try {
      const events = await readEvents(server, run);
      return { events, status: await readStatus(server, run) };
    } catch {
      // It is being started again.
      await sleep(50);
    }
  }
}

interface Page {
  readonly events: readonly EventEnvelope[];
  readonly next: string | null;
}

async function readEvents({ url, token }: Line, run: string): Promise<EventEnvelope[]> {
  const events: EventEnvelope[] = [];
  for (let after = ""; ; ) {
    const query = after === "" ? "" : `?after=${encodeURIComponent(after)}`;
    const response = await fetch(`${url}/v1/runs/${run}/events${query}`, {
      headers: { authorization: `Bearer ${token}` },
    });
    if (!response.ok) throw new Error(`${response.status}`);
    const page = (await response.json()) as Page;
    events.push(...page.events);
    if (page.next === null || page.events.length === 0) return events;
    after = page.next;
  }
}

/** The first state that a stream tells. */
async function readStatus({ url, token }: Line, run: string): Promise<Status> {
  const ending = new AbortController();
  const response = await fetch(`${url}/v1/runs/${run}/stream`, {
    headers: { authorization: `Bearer ${token}` },
    signal: ending.signal,
  });
  try {
    let text = "";
    const decoder = new TextDecoder();
    for await (const bytes of response.body ?? []) {
      text += decoder.decode(bytes, { stream: true });
      const data = /^event: state\ndata: (.*)\n\n/m.exec(text)?.[1];
      const frame = data === undefined ? undefined : parseFrame({ event: "state", data });
      if (frame?.kind === "state") return frame.status;
    }
    throw new Error("the stream ended");
  } finally {
    ending.abort();
  }
}
