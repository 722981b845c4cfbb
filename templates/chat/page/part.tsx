/** One part of a message: words, or a tool with its approval. */
import type { DynamicToolUIPart, UIMessage } from "ai";

interface PartProps {
  readonly role: UIMessage["role"];
  readonly part: UIMessage["parts"][number];
  readonly decide: (approval: string, approved: boolean) => void;
}

export function Part({ role, part, decide }: PartProps) {
  switch (part.type) {
    case "text":
      return part.text === "" ? null : <div className={role}>{part.text}</div>;
    case "dynamic-tool":
      return <Tool part={part} decide={decide} />;
    case "data-failure":
      return <p className="error">The assistant could not answer.</p>;
    case "data-late":
      return <p className="error">{String(Object(part.data).words)}</p>;
    case "data-stopped":
      return <p className="note">Stopped.</p>;
    default:
      return null;
  }
}

const states: Readonly<Record<string, string>> = {
  "input-streaming": "…",
  "input-available": "…",
  "approval-requested": "needs your approval",
  "approval-responded": "…",
  "output-available": "done",
  "output-denied": "denied",
  "output-error": "failed",
};

interface ToolProps {
  readonly part: DynamicToolUIPart;
  readonly decide: PartProps["decide"];
}

function Tool({ part, decide }: ToolProps) {
  const { toolName, state, input, approval } = part;
  const isAsking = state === "approval-requested" && approval !== undefined;
  const facts = Object.entries(Object(input)).map(([name, value]) => `${name} ${value}`);
  return (
    <div className={isAsking ? "tool asks" : "tool"}>
      <strong>{toolName.replace("local__", "")}</strong> {facts.join(", ")}{" "}
      <span className="note">{states[state]}</span>
      {isAsking ? (
        <div className="choice">
          <button type="button" onClick={() => decide(approval.id, true)}>
            Approve
          </button>
          <button type="button" onClick={() => decide(approval.id, false)}>
            Deny
          </button>
        </div>
      ) : null}
    </div>
  );
}
