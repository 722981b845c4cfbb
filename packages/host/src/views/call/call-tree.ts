/**
 * What a call looks like so far: a fold of its events into rows, in the order in which they began.
 *
 * A row belongs to one call and stands below that call's own row. Steps of a composite run one
 * after another, so the order of beginning is the order of the tree.
 */
import { type TokenCounts, unreachable } from "@turnseal/protocol";
import {
  type ActionClaimed,
  type ActionSettled,
  type CallEvent,
  type CoreCallEvent,
  isVendorEventType,
  type LogLevel,
} from "@turnseal/protocol/trace";

export type RowState = "running" | "ok" | "failed";

interface RowPlace {
  readonly call: string;
  readonly depth: number;
}

interface TimedRow extends RowPlace {
  readonly startedAt: string;
  readonly state: RowState;
  readonly durationMs?: number;
}

export interface CallRow extends TimedRow {
  readonly kind: "call";
  readonly loop: string;
  readonly version: string;
  /** Why the call failed: the code, and for a failed validation what was wrong first. */
  readonly failure?: string;
}

export interface ActionRow extends TimedRow {
  readonly kind: "action";
  readonly action: "model" | "tool";
  readonly name: string;
  /** What the provider counted, where it counted both ways. */
  readonly usage?: TokenCounts;
}

export interface NoteRow extends RowPlace {
  readonly kind: "note";
  readonly level: LogLevel | "event";
  readonly text: string;
}

export type Row = CallRow | ActionRow | NoteRow;

export interface CallTree {
  readonly rows: readonly Row[];
  /** The row that the last event added or changed. */
  readonly changed?: Row;
}

export const EMPTY_TREE: CallTree = { rows: [] };

/** Adds what an event says to the tree. */
export function applyToTree(tree: CallTree, event: CallEvent): CallTree {
  if (!isCore(event))
    return addRow(tree, event, { kind: "note", level: "event", text: event.type });
  switch (event.type) {
    case "call.started":
      return addCall(tree, event);
    case "call.completed":
      return changeRow(tree, event.call, "call", (row) => settleRow(row, event.at, "ok"));
    case "call.errored":
      return changeRow(tree, event.call, "call", (row) => ({
        ...settleRow(row, event.at, "failed"),
        failure: [event.content.code, ...(event.content.details.problems ?? []).slice(0, 1)].join(
          " ",
        ),
      }));
    case "action.claimed":
      return addRow(tree, event, toActionRow(event));
    case "action.settled":
      return changeRow(tree, event.call, "action", (row) => settleAction(row, event));
    case "log": {
      const text = String(event.attached?.["message"] ?? "");
      return addRow(tree, event, { kind: "note", level: event.content.level, text });
    }
    case "child.started":
    case "child.completed":
    case "call.input.validated":
    case "call.output.validated":
      return { rows: tree.rows };
    default:
      return unreachable(event);
  }
}

type CallStarted = Extract<CoreCallEvent, { type: "call.started" }>;

function addCall(tree: CallTree, event: CallStarted): CallTree {
  const parent = findRow(tree, event.parentCall, "call");
  const row: CallRow = {
    kind: "call",
    call: event.call,
    depth: parent === undefined ? 0 : parent.depth + 1,
    loop: event.content.loop,
    version: event.content.version,
    startedAt: event.at,
    state: "running",
  };
  return { rows: [...tree.rows, row], changed: row };
}

type Placeless<Of extends Row> = Omit<Of, keyof RowPlace>;

function addRow(
  tree: CallTree,
  event: CallEvent,
  content: Placeless<ActionRow> | Placeless<NoteRow>,
): CallTree {
  const depth = (findRow(tree, event.call, "call")?.depth ?? -1) + 1;
  const row = { ...content, call: event.call, depth };
  return { rows: [...tree.rows, row], changed: row };
}

function toActionRow({ at, content }: ActionClaimed): Placeless<ActionRow> {
  const name = content.action === "tool" ? content.tool : nameModel(content);
  return { kind: "action", action: content.action, name, startedAt: at, state: "running" };
}

function nameModel({ backend, model }: { backend: string; model: string }): string {
  return backend === model ? backend : `${backend}/${model}`;
}

function settleAction(row: ActionRow, { content }: ActionSettled): ActionRow {
  const { durationMs } = content;
  if (content.status !== "ok") return { ...row, state: "failed", durationMs };
  if (content.action === "tool") return { ...row, state: "ok", durationMs };
  const isKnown = content.inputTokens !== undefined && content.outputTokens !== undefined;
  return { ...row, state: "ok", durationMs, ...(isKnown ? { usage: content } : {}) };
}

function settleRow(row: CallRow, endedAt: string, state: RowState): CallRow {
  return { ...row, state, durationMs: Date.parse(endedAt) - Date.parse(row.startedAt) };
}

type RowOf<Kind extends Row["kind"]> = Extract<Row, { kind: Kind }>;

function findRow<Kind extends Row["kind"]>(
  tree: CallTree,
  call: string | undefined,
  kind: Kind,
): RowOf<Kind> | undefined {
  return tree.rows.findLast((row): row is RowOf<Kind> => row.kind === kind && row.call === call);
}

function changeRow<Kind extends Row["kind"]>(
  tree: CallTree,
  call: string,
  kind: Kind,
  change: (row: RowOf<Kind>) => RowOf<Kind>,
): CallTree {
  const row = findRow(tree, call, kind);
  if (row === undefined) return { rows: tree.rows };
  const changed = change(row);
  return { rows: tree.rows.map((other) => (other === row ? changed : other)), changed };
}

function isCore(event: CallEvent): event is CoreCallEvent {
  return !isVendorEventType(event.type);
}
