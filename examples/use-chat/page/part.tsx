/** One part of a message. Texts of people, models and tools go into the page as text, never as markup. */
import type { DynamicToolUIPart, UIMessage } from "ai";

export interface PartProps {
  readonly role: UIMessage["role"];
  readonly part: UIMessage["parts"][number];
  readonly decide: (approval: string, approved: boolean) => void;
}

export function Part({ role, part, decide }: PartProps) {
  switch (part.type) {
    case "text":
      return (
        <div className={role} data-state={part.state ?? "done"}>
          {part.text}
        </div>
      );
    case "dynamic-tool":
      return <Tool part={part} decide={decide} />;
    case "data-stopped":
      return <p className="note stopped">You stopped the answer.</p>;
    case "data-failure":
      return <p className="note failure">{String(Object(part.data).error)}</p>;
    case "data-summarized":
      return <p className="note">Earlier messages were summarised.</p>;
    case "data-receipt":
      return <p className="note receipt">receipt {String(Object(part.data).id).slice(0, 23)}…</p>;
    default:
      return null;
  }
}

interface ToolProps extends Pick<PartProps, "decide"> {
  readonly part: DynamicToolUIPart;
}

function Tool({ part, decide }: ToolProps) {
  const { toolName, state, input, approval } = part;
  return (
    <div className={`tool ${state}`} data-tool={toolName}>
      <strong>{toolName.replace("local__", "")}</strong> <span className="note">{state}</span>
      <dl>
        <dt>arguments</dt>
        <dd>{JSON.stringify(input)}</dd>
        {state === "output-available" ? <Row name="result" value={part.output} /> : null}
        {state === "approval-requested" ? <Card card={Object(approval?.descriptor)} /> : null}
      </dl>
      {state === "approval-requested" && approval !== undefined ? (
        <>
          <button type="button" onClick={() => decide(approval.id, true)}>
            Approve
          </button>{" "}
          <button type="button" onClick={() => decide(approval.id, false)}>
            Reject
          </button>
        </>
      ) : null}
    </div>
  );
}

/** What a person should know before they decide. */
function Card({ card }: { readonly card: Readonly<Record<string, unknown>> }) {
  const facts = Object(card["facts"]);
  return (
    <>
      <Row name="asked by" value={Object(facts.rule).id ?? "the grant"} />
      <Row name="effect" value={facts.effect} />
      <Row name="costs" value={facts.reserve} />
      <Row name="decide by" value={card["decideBy"] ?? "no expiry"} />
    </>
  );
}

function Row({ name, value }: { readonly name: string; readonly value: unknown }) {
  return (
    <>
      <dt>{name}</dt>
      <dd>{typeof value === "string" ? value : JSON.stringify(value)}</dd>
    </>
  );
}
