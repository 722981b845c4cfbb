/** The page: `useChat` of the AI SDK, with the transport of Turnseal. It stores nothing itself. */
import { useChat } from "@ai-sdk/react";
import { createChatTransport } from "@turnseal/client/ai-sdk";
import { lastAssistantMessageIsCompleteWithApprovalResponses, type UIMessage } from "ai";
import { type FormEvent, useEffect, useState } from "react";
import { createRoot } from "react-dom/client";
import { Part } from "./part.tsx";
import { askAgain, readStand, type Stand } from "./stand.ts";

const transport = createChatTransport({ url: "", agent: "assistant" });

interface ChatProps {
  readonly id: string;
  /** The conversation so far. */
  readonly before: UIMessage[];
}

function Chat({ id, before }: ChatProps) {
  const [text, setText] = useState("");
  const [stand, setStand] = useState<Stand>();
  const chat = useChat({
    id,
    messages: before,
    transport,
    sendAutomaticallyWhen: lastAssistantMessageIsCompleteWithApprovalResponses,
  });
  const { messages, setMessages, sendMessage, resumeStream, status, error } = chat;
  // A page that was reloaded in the middle of an answer goes on with its next word.
  useEffect(() => void resumeStream(), [resumeStream]);
  const isBusy = status === "submitted" || status === "streaming";
  const asking = messages.find(({ parts }) => parts.some(isQuestion));
  const { run } = Object(messages.findLast(({ metadata }) => metadata)?.metadata);
  // What was decided elsewhere, by another tab or the command, reaches this page as well.
  useEffect(() => {
    if (asking === undefined || isBusy) return;
    const left = new AbortController();
    const follow = async () => {
      await transport.untilDecided(asking, { signal: left.signal });
      const loaded = await transport.load(id);
      if (left.signal.aborted) return;
      setMessages(loaded);
      await resumeStream();
    };
    follow().catch(() => {});
    return () => left.abort();
  }, [id, asking, isBusy, setMessages, resumeStream]);
  useEffect(() => {
    if (!isBusy && run !== undefined) void readStand(run).then(setStand);
  }, [isBusy, run]);
  const hasFailed = messages.at(-1)?.parts.some(({ type }) => type === "data-failure") === true;
  const tryAgain = async () => {
    await askAgain(run);
    await resumeStream();
    setMessages(await transport.load(id));
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
  const isClosed = asking !== undefined || stand?.isOver === true;
  const placeholder = asking === undefined ? "A table for 2 at 8 pm" : "Approve or deny first";
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
              decide={(id, approved) => void chat.addToolApprovalResponse({ id, approved })}
            />
          )),
        )}
        {status === "submitted" ? <p className="note">…</p> : null}
        {hasFailed && isBusy ? <p className="note">I am trying again …</p> : null}
        {error === undefined || stand?.isOver ? null : (
          <p className="error">{error.message.replace(/^[A-Z_]+: /, "")}</p>
        )}
        {hasFailed && !isBusy && stand?.mayRetry ? (
          <button type="button" onClick={() => void tryAgain()}>
            Try again
          </button>
        ) : null}
        {stand?.isOver && !isBusy ? (
          <p className="note">
            This chat has ended.{" "}
            <button type="button" onClick={startAnew}>
              Begin a new one
            </button>
          </p>
        ) : null}
      </main>
      <form onSubmit={send}>
        <input
          aria-label="Message"
          placeholder={placeholder}
          value={text}
          disabled={isClosed}
          onChange={(event) => setText(event.target.value)}
        />
        {isBusy ? (
          <button type="button" onClick={() => void transport.stop(id)}>
            Stop
          </button>
        ) : (
          <button type="submit" disabled={isClosed}>
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
