/** A conversation as lines: from the page, and from the log by another fold than the page's. */
import { applyEnvelope, emptySession, listItems, type SessionItem } from "@turnseal/client";
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
    const response = await fetch(`${server}/v1/runs/${run}/events?limit=500${after}`);
    const page = (await response.json()) as { events: EventEnvelope[]; next: string | null };
    session = page.events.reduce(applyEnvelope, session);
    if (page.next === null) return listItems(session).flatMap(describe);
    after = `&after=${encodeURIComponent(page.next)}`;
  }
}

/** The ids of messages begin with the run's. */
async function findRun(server: string, chat: string): Promise<string> {
  const response = await fetch(`${server}/v1/chats/support/${chat}/messages`);
  const { messages } = (await response.json()) as { messages: { id: string }[] };
  return messages[0]?.id.split("/")[0] ?? "";
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
