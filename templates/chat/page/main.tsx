/** The page: `useChat` of the AI SDK, with the transport of Turnseal. It stores nothing itself. */
import { useChat } from "@ai-sdk/react";
import { createChatTransport } from "@turnseal/client/ai-sdk";
import { lastAssistantMessageIsCompleteWithApprovalResponses, type UIMessage } from "ai";
import { type FormEvent, useEffect, useState } from "react";
import { createRoot } from "react-dom/client";
import { Part } from "./part.tsx";

const transport = createChatTransport({ url: "", agent: "assistant" });

interface ChatProps {
  readonly id: string;
  /** The conversation so far. */
  readonly before: UIMessage[];
}

function Chat({ id, before }: ChatProps) {
  const [text, setText] = useState("");
  const { messages, sendMessage, resumeStream, addToolApprovalResponse, status, error } = useChat({
    id,
    messages: before,
    transport,
    sendAutomaticallyWhen: lastAssistantMessageIsCompleteWithApprovalResponses,
  });
  // A page that was reloaded in the middle of an answer goes on with its next word.
  useEffect(() => void resumeStream(), [resumeStream]);
  const isBusy = status === "submitted" || status === "streaming";
  const asks = messages.some(({ parts }) => parts.some(isQuestion));
  // After a failure that only a person can fix, such as a wrong key, this button retries.
  const last = messages.at(-1);
  const failed = !isBusy && last?.parts.some(({ type }) => type === "data-failure") === true;
  const tryAgain = async () => {
    await askAgain(Object(last?.metadata).run);
    await resumeStream();
  };
  useEffect(() => {
    scrollTo(0, document.body.scrollHeight);
  });
  const send = (event: FormEvent) => {
    event.preventDefault();
    if (text.trim() === "") return;
    void sendMessage({ text });
    setText("");
  };
  return (
    <>
      <header>
        <h1>Assistant</h1>
        <button type="button" onClick={startAnew}>
          New chat
        </button>
      </header>
      <main aria-live="polite">
        {messages.map((message) =>
          message.parts.map((part, index) => (
            <Part
              // biome-ignore lint/suspicious/noArrayIndexKey: parts are only added at the end.
              key={`${message.id} ${index}`}
              role={message.role}
              part={part}
              decide={(id, approved) => void addToolApprovalResponse({ id, approved })}
            />
          )),
        )}
        {status === "submitted" ? <p className="note">…</p> : null}
        {error === undefined ? null : <p className="error">{error.message}</p>}
        {failed ? (
          <button type="button" onClick={() => void tryAgain()}>
            Try again
          </button>
        ) : null}
      </main>
      <form onSubmit={send}>
        <input
          aria-label="Message"
          placeholder={asks ? "Approve or deny first" : "A table for 2 at 8 pm"}
          value={text}
          disabled={asks}
          onChange={(event) => setText(event.target.value)}
        />
        {isBusy ? (
          <button type="button" onClick={() => void transport.stop(id)}>
            Stop
          </button>
        ) : (
          <button type="submit" disabled={asks}>
            Send
          </button>
        )}
      </form>
    </>
  );
}

function isQuestion(part: UIMessage["parts"][number]): boolean {
  return part.type === "dynamic-tool" && part.state === "approval-requested";
}

async function askAgain(run: string): Promise<void> {
  const headers = { "content-type": "application/json" };
  await fetch(`/v1/runs/${run}/retry`, { method: "POST", headers, body: "{}" });
}

function startAnew(): void {
  location.hash = "";
  location.reload();
}

// The name of the chat is in the address of the page.
if (location.hash.length < 2) location.hash = crypto.randomUUID();
const id = location.hash.slice(1);
const before = await transport.load(id);
const root = document.getElementById("root");
if (root !== null) createRoot(root).render(<Chat id={id} before={before} />);
