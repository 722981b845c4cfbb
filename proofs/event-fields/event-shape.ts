/** What can be compared of an event: its kind, who caused it, and the names of its fields. */
export interface EventShape {
  /** The type, and for what differs by it the action or the kind: `action.claimed, tool`. */
  readonly kind: string;
  readonly actor: string;
  readonly fields: readonly string[];
}

export interface Recorded {
  readonly type: string;
  readonly actor: { readonly kind: string };
  readonly content: Readonly<Record<string, unknown>>;
}

export function describeShape({ type, actor, content }: Recorded): EventShape {
  const variant = readVariant(type, content);
  const kind = variant === undefined ? type : `${type}, ${String(variant)}`;
  return { kind, actor: actor.kind, fields: Object.keys(content).sort() };
}

function readVariant(type: string, { action, kind }: Recorded["content"]): unknown {
  if (type === "action.claimed" || type === "action.settled" || type === "approval.requested")
    return action;
  return type === "signal.received" ? kind : undefined;
}
