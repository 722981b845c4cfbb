/** The same chat by assistant-ui: its runtime is made of what `useChat` gives. */
import {
  AssistantRuntimeProvider,
  ComposerPrimitive,
  MessagePrimitive,
  ThreadPrimitive,
} from "@assistant-ui/react";
import { useAISDKRuntime } from "@assistant-ui/react-ai-sdk";
import type { ReactNode } from "react";
import { createRoot } from "react-dom/client";
import { type ChatProps, openChat, transport, useSupportChat } from "./use-support-chat.tsx";

function Chat({ id, said }: ChatProps) {
  const { chat, isBusy, queued } = useSupportChat({ id, said });
  const runtime = useAISDKRuntime(chat, {
    // Each turn is a message. A request for a person stays open while others talk.
    ...{ joinStrategy: "none", cancelPendingToolCallsOnSend: false },
  });
  return (
    <AssistantRuntimeProvider runtime={runtime}>
      <header>
        <h1>Support</h1>
        <span className="note" role="status" data-status={chat.status}>
          {chat.status}
        </span>
      </header>
      <main aria-live="polite">
        <ThreadPrimitive.Messages>
          {({ message: { role } }) => (
            <MessagePrimitive.Parts>
              {({ part }) => <Part role={role} part={part} />}
            </MessagePrimitive.Parts>
          )}
        </ThreadPrimitive.Messages>
        {queued === undefined ? null : <p className="note queued">{queued}</p>}
        {chat.error === undefined ? null : <p className="error">{chat.error.message}</p>}
      </main>
      <ComposerPrimitive.Root>
        <ComposerPrimitive.Input aria-label="Message" placeholder="Where is my order A-17?" />
        {isBusy ? (
          // The runtime's own stop closes the connection; this one tells the agent.
          <button type="button" onClick={() => void transport.stop(id)}>
            Stop
          </button>
        ) : (
          <ComposerPrimitive.Send>Send</ComposerPrimitive.Send>
        )}
      </ComposerPrimitive.Root>
    </AssistantRuntimeProvider>
  );
}

type PartsProps = Parameters<typeof MessagePrimitive.Parts>[0];
type ShownPart = Parameters<
  Extract<PartsProps["children"], (value: never) => ReactNode>
>[0]["part"];
type ToolPart = Extract<ShownPart, { readonly type: "tool-call" }>;

function Part({ role, part }: { readonly role: string; readonly part: ShownPart }) {
  switch (part.type) {
    case "text":
      return part.text === "" ? null : <div className={role}>{part.text}</div>;
    case "tool-call":
      return <Tool part={part} />;
    case "data":
      return <Data name={part.name} data={Object(part.data)} />;
    default:
      return null;
  }
}

function Data({ name, data }: { readonly name: string; readonly data: Record<string, unknown> }) {
  switch (name) {
    case "stopped":
      return <p className="note stopped">You stopped the answer.</p>;
    case "failure":
      return <p className="note failure">{String(data["error"])}</p>;
    case "receipt":
      return <p className="note receipt">receipt {String(data["id"]).slice(0, 23)}…</p>;
    default:
      return null;
  }
}

function Tool({ part }: { readonly part: ToolPart }) {
  const { toolName, args, respondToApproval } = part;
  const state = stateOf(part);
  return (
    <div className={`tool ${state}`} data-tool={toolName}>
      <strong>{toolName.replace("local__", "")}</strong> <span className="note">{state}</span>
      <p>{JSON.stringify(args)}</p>
      {state === "approval-requested" ? (
        <>
          <button type="button" onClick={() => void respondToApproval({ approved: true })}>
            Approve
          </button>{" "}
          <button type="button" onClick={() => void respondToApproval({ approved: false })}>
            Reject
          </button>
        </>
      ) : null}
    </div>
  );
}

/** As the AI SDK names it. */
function stateOf({ approval, result, isError }: ToolPart): string {
  if (approval?.approved === false) return "output-denied";
  if (isError === true) return "output-error";
  if (result !== undefined) return "output-available";
  return approval !== undefined && approval.approved === undefined
    ? "approval-requested"
    : "input-available";
}

const root = document.getElementById("root");
if (root !== null) createRoot(root).render(<Chat {...(await openChat())} />);
