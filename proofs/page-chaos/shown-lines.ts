/** A conversation as lines: from the page, and from the log by another fold than the page's. */
import { setTimeout as sleep } from "node:timers/promises";
import type { SessionItem } from "@turnseal/client";
import { applyEnvelope, emptySession, listItems } from "@turnseal/client/fold";
import type { EventEnvelope } from "@turnseal/protocol/events";
import type { Page } from "playwright-core";

/** What somebody sees who looks at the page. */
export function readPage(page: Page): Promise<string[]> {
  return page.evaluate<string[]>(READ_PARTS);
}

// It is executed in the page: here it is no more than a text.
const READ_PARTS = `
  [...document.querySelectorAll(".user, .assistant, .tool, .stopped, .failure")].map((part) => {
    const tool = part.getAttribute("data-tool");
    const [kind] = [...part.classList].filter((name) => name !== "note");
    const text = tool === null ? part.textContent : tool + " " + part.classList[1];
    return kind + ": " + text;
  })
`;

/** What the log says. */
export async function readLog(server: string, chat: string): Promise<string[]> {
  const run = await findRun(server, chat);
  let session = emptySession(run);
  for (let after = ""; ; ) {
    const url = `${server}/v1/runs/${run}/events?limit=500${after}`;
    const page = await ask<{ events: EventEnvelope[]; next: string | null }>(url);
    session = page.events.reduce(applyEnvelope, session);
    if (page.next === null) return dropRetried(listItems(session)).flatMap(describe);
    after = `&after=${encodeURIComponent(page.next)}`;
  }
}

/** A retried failure disappears: the page shows the answer instead. */
function dropRetried(items: readonly SessionItem[]): SessionItem[] {
  return items.filter(({ kind }, at) => kind !== "failure" || isLastOfTurn(items[at + 1]));
}

function isLastOfTurn(next: SessionItem | undefined): boolean {
  return next === undefined || next.kind === "user";
}

/** The ids of messages begin with the run's. */
export async function findRun(server: string, chat: string): Promise<string> {
  const url = `${server}/v1/chats/support/${chat}/messages`;
  const { messages } = await ask<{ messages: { id: string }[] }>(url);
  return messages[0]?.id.split("/")[0] ?? "";
}

/** Attempts and pause for a server that was just killed. */
const [ATTEMPTS_MAX, PAUSE_MS] = [180, 500];

async function ask<Answer>(url: string): Promise<Answer> {
  for (let triesLeft = ATTEMPTS_MAX; ; triesLeft -= 1)
    try {
      return (await (await fetch(url)).json()) as Answer;
    } catch (error) {
      if (triesLeft === 0) throw error;
      await sleep(PAUSE_MS);
    }
}

const toolStates = {
  pending_approval: "approval-requested",
  running: "input-available",
  done: "output-available",
  failed: "output-error",
  rejected: "output-denied",
} as const;

function describe(item: SessionItem): string[] {
  switch (item.kind) {
    case "user":
    case "assistant":
      return [`${item.kind}: ${item.text}`];
    case "tool":
      return [`tool: ${item.toolName} ${toolStates[item.status]}`];
    case "abort":
      return ["stopped: You stopped the answer."];
    case "failure":
      return [`failure: ${item.error}`];
    default:
      return [];
  }
}
