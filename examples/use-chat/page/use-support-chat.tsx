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
  /** What was said before the page was loaded. */
  readonly said: UIMessage[];
}

interface SupportChat {
  readonly chat: ReturnType<typeof useChat>;
  /** It answers, or the page does not know yet whether it does. */
  readonly isBusy: boolean;
}

export function useSupportChat({ id, said }: ChatProps): SupportChat {
  const chat = useChat({
    ...{ id, messages: said, transport },
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
  // What was done in another tab is shown when somebody comes back to this one.
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
  return { chat: { ...chat, status }, isBusy };
}

/** The name of the chat is in the address, and the page keeps nothing else. */
export async function openChat(): Promise<ChatProps> {
  if (location.hash.length < 2) location.hash = crypto.randomUUID();
  const id = location.hash.slice(1);
  return { id, said: await transport.load(id) };
}
