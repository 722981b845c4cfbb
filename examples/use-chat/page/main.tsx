/** A chat page by `useChat` of the AI SDK. */
import { type FormEvent, useState } from "react";
import { createRoot } from "react-dom/client";
import { Part } from "./part.tsx";
import { type ChatProps, openChat, transport, useSupportChat } from "./use-support-chat.tsx";

function Chat({ id, said }: ChatProps) {
  const [text, setText] = useState("");
  const { chat, isBusy, queued } = useSupportChat({ id, said });
  const { messages, sendMessage, status, error } = chat;
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
        {queued === undefined ? null : <p className="note queued">{queued}</p>}
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

const root = document.getElementById("root");
if (root !== null) createRoot(root).render(<Chat {...(await openChat())} />);
