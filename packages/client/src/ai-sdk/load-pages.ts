import type { UIMessage } from "ai";

/** Pages of a conversation that are read. */
export const CHAT_PAGES_MAX = 200;

interface LoadedPage<Message> {
  readonly messages: readonly Message[];
  readonly sequence: number;
  readonly next: string | null;
}

export interface LoadedMessages<Message> {
  readonly messages: Message[];
  /** The event of the log up to which this holds. */
  readonly sequence: number;
}

/** Reads a conversation page by page; a turn that is longer than a page goes on with the next. */
export async function loadPages<Message extends UIMessage>(
  ask: (query: string) => Promise<Response>,
): Promise<LoadedMessages<Message>> {
  const messages = new Map<string, Message>();
  let [after, sequence] = ["", 0];
  for (let pages = 0; pages < CHAT_PAGES_MAX; pages += 1) {
    const page = (await (await ask(after)).json()) as LoadedPage<Message>;
    for (const message of page.messages) {
      const known = messages.get(message.id);
      const parts = [...(known?.parts ?? []), ...message.parts];
      messages.set(message.id, { ...message, parts });
    }
    ({ sequence } = page);
    if (page.next === null) break;
    after = `&after=${encodeURIComponent(page.next)}`;
  }
  return { messages: [...messages.values()], sequence };
}
