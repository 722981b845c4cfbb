/** A chat by `useChat` of the AI SDK: all that is Turnseal's is the transport. */
import { useChat } from "@ai-sdk/react";
import { createChatTransport } from "@turnseal/client/ai-sdk";
import { lastAssistantMessageIsCompleteWithApprovalResponses, type UIMessage } from "ai";
import { type FormEvent, useEffect, useState } from "react";
import { createRoot } from "react-dom/client";
import { Part } from "./part.tsx";

/** Where the agents are served. */
declare const SERVER_URL: string;

const transport = createChatTransport({ url: SERVER_URL, agent: "support" });

function Chat({ id, said }: { readonly id: string; readonly said: UIMessage[] }) {
  const [text, setText] = useState("");
  const chat = useChat({
    ...{ id, messages: said, transport, resume: true },
    sendAutomaticallyWhen: lastAssistantMessageIsCompleteWithApprovalResponses,
  });
  const { messages, setMessages, resumeStream, sendMessage, status, error } = chat;
  const isBusy = status === "submitted" || status === "streaming";
  // What was done in another tab is shown when somebody comes back to this one.
  useEffect(() => {
    const look = async () => {
      if (isBusy) return;
      setMessages(await transport.load(id));
      await resumeStream();
    };
    const onFocus = () => void look();
    window.addEventListener("focus", onFocus);
    return () => window.removeEventListener("focus", onFocus);
  }, [id, isBusy, setMessages, resumeStream]);
  const send = (event: FormEvent) => {
    event.preventDefault();
    if (text.trim() === "" || isBusy) return;
    void sendMessage({ text });
    setText("");
  };
  return (
    <>
      <header>
        <h1>Support</h1>
        <span className="note" role="status" data-status={status}>
          {status}
        </span>
        <button type="button" onClick={startAnew}>
          New chat
        </button>
      </header>
      <main aria-live="polite">
        {messages.map(({ id: key, role, parts }) =>
          parts.map((part, index) => (
            <Part
              // biome-ignore lint/suspicious/noArrayIndexKey: parts are added at the end.
              key={`${key} ${index}`}
              role={role}
              part={part}
              decide={(approval, approved) =>
                void chat.addToolApprovalResponse({ id: approval, approved })
              }
            />
          )),
        )}
        {error === undefined ? null : <p className="error">{error.message}</p>}
      </main>
      <form onSubmit={send}>
        <textarea
          rows={1}
          aria-label="Message"
          placeholder="Where is my order A-17?"
          value={text}
          onChange={(event) => setText(event.target.value)}
        />
        {isBusy ? (
          <button type="button" onClick={() => void transport.stop(id)}>
            Stop
          </button>
        ) : (
          <button type="submit">Send</button>
        )}
      </form>
    </>
  );
}

function startAnew(): void {
  location.hash = "";
  location.reload();
}

// The name of the chat is in the address, and the page keeps nothing else.
if (location.hash.length < 2) location.hash = crypto.randomUUID();
const id = location.hash.slice(1);
const root = document.getElementById("root");
if (root !== null) createRoot(root).render(<Chat id={id} said={await transport.load(id)} />);
