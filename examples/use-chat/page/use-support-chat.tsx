/** A chat with the agent by `useChat` of the AI SDK: all that is Turnseal's is the transport. */
import { useChat } from "@ai-sdk/react";
import { createChatTransport } from "@turnseal/client/ai-sdk";
import { lastAssistantMessageIsCompleteWithApprovalResponses, type UIMessage } from "ai";
import { useEffect, useState } from "react";

/** Where the agents are served. */
declare const SERVER_URL: string;

export const transport = createChatTransport({ url: SERVER_URL, agent: "support" });

export interface ChatProps {
  readonly id: string;
  /** The messages from before the page was loaded. */
  readonly said: UIMessage[];
}

interface SupportChat {
  readonly chat: ReturnType<typeof useChat>;
  /** It answers, or the page does not know yet whether it does. */
  readonly isBusy: boolean;
  /** What the last words wait for. */
  readonly queued: string | undefined;
}

export function useSupportChat({ id, said }: ChatProps): SupportChat {
  const [queued, setQueued] = useState<string>();
  const chat = useChat({
    ...{ id, messages: said, transport },
    // The answer comes after what it waits for: then the page asks for what is under way.
    onData: ({ type, data }) => {
      if (type === "data-queued") setQueued(String(Object(data).words));
    },
    sendAutomaticallyWhen: lastAssistantMessageIsCompleteWithApprovalResponses,
  });
  const { setMessages, resumeStream } = chat;
  const [isResuming, setResuming] = useState(true);
  // Nothing is sent before it is known what is under way: the SDK shows one answer at a time.
  const status = isResuming && chat.status === "ready" ? "submitted" : chat.status;
  const isBusy = status === "submitted" || status === "streaming";
  useEffect(() => {
    void resumeStream().finally(() => setResuming(false));
  }, [resumeStream]);
  const isDecided = !chat.messages.some(({ parts }) => parts.some(isAsked));
  useEffect(() => {
    if (queued === undefined || isBusy || !isDecided) return;
    setQueued(undefined);
    void resumeStream();
  }, [queued, isBusy, isDecided, resumeStream]);
  // Changes made in another tab appear when a person returns to this one.
  useEffect(() => {
    const look = async () => {
      if (isBusy) return;
      setResuming(true);
      setMessages(await transport.load(id));
      await resumeStream();
    };
    const onFocus = () => void look().finally(() => setResuming(false));
    window.addEventListener("focus", onFocus);
    return () => window.removeEventListener("focus", onFocus);
  }, [id, isBusy, setMessages, resumeStream]);
  return { chat: { ...chat, status }, isBusy, queued };
}

function isAsked(part: UIMessage["parts"][number]): boolean {
  return part.type === "dynamic-tool" && part.state === "approval-requested";
}

/** The name of the chat is in the address, and the page keeps nothing else. */
export async function openChat(): Promise<ChatProps> {
  if (location.hash.length < 2) location.hash = crypto.randomUUID();
  const id = location.hash.slice(1);
  return { id, said: await transport.load(id) };
}
