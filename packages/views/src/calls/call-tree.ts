/**
 * The rows of a call so far: a fold of its events.
 *
 * A row belongs to one call and stands below that call's own row, behind what began there before.
 * The items of a wide fan-out have one row together.
 */
import { type TokenCounts, textOf, unreachable } from "@turnseal/protocol";
import {
  type ActionClaimed,
  type ActionSettled,
  type CallEvent,
  type CoreCallEvent,
  isVendorEventType,
  type LogLevel,
} from "@turnseal/protocol/trace";

/** `asks`: a tool did nothing, and needs an answer. */
export type RowState = "running" | "ok" | "failed" | "asks";

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
  /** The provider's counts, where it has both. */
  readonly usage?: TokenCounts;
}

export interface NoteRow extends RowPlace {
  readonly kind: "note";
  readonly level: LogLevel | "event";
  readonly text: string;
}

/** The items of a fan-out, by how they ended. */
export interface ItemsRow extends TimedRow {
  readonly kind: "items";
  readonly path: string;
  readonly items: number;
  readonly ok: number;
  readonly failed: number;
  readonly withdrawn: number;
}

export type Row = CallRow | ActionRow | NoteRow | ItemsRow;

/** Items of a fan-out whose calls have rows of their own. */
export const ITEMS_SHOWN_MAX = 12;

export interface CallTree {
  readonly rows: readonly Row[];
  /** Calls of items that have no rows of their own. */
  readonly folded: ReadonlySet<string>;
  /** The row that the last event added or changed. */
  readonly changed?: Row;
}

export const EMPTY_TREE: CallTree = { rows: [], folded: new Set() };

/** Adds an event to the tree. */
export function applyToTree(tree: CallTree, event: CallEvent): CallTree {
  if (isFolded(tree, event)) return unchanged(fold(tree, event.call));
  if (!isCore(event))
    return addRow(tree, event, { kind: "note", level: "event", text: event.type });
  switch (event.type) {
    case "call.started":
      return addCall(tree, event);
    case "call.completed":
      return changeRow(tree, findRow(tree, event.call, "call"), (row) =>
        settleRow(row, event.at, "ok"),
      );
    case "call.errored":
      return changeRow(tree, findRow(tree, event.call, "call"), (row) => ({
        ...settleRow(row, event.at, "failed"),
        failure: [event.content.code, ...(event.content.details.problems ?? []).slice(0, 1)].join(
          " ",
        ),
      }));
    case "action.claimed":
      return addRow(tree, event, toActionRow(event));
    case "action.settled":
      return changeRow(tree, findRow(tree, event.call, "action"), (row) =>
        settleAction(row, event),
      );
    case "log": {
      const text = textOf(event.attached?.["message"] ?? "");
      return addRow(tree, event, { kind: "note", level: event.content.level, text });
    }
    case "child.started":
      return unchanged(isOfItem(tree, event) ? fold(tree, event.content.child) : tree);
    case "fanout.fixed":
      return addRow(tree, event, toItemsRow(event));
    case "item.closed":
      return changeRow(tree, findItems(tree, event), (row) => countItem(row, event));
    case "step.retried": {
      const { path, attempt, code } = event.content;
      const text = `${path} is tried again (${attempt}): ${code}`;
      return addRow(tree, event, { kind: "note", level: "warn", text });
    }
    case "step.skipped": {
      const { path, because, code } = event.content;
      const text = `${path} is skipped: ${because}${code === undefined ? "" : `, ${code}`}`;
      return addRow(tree, event, { kind: "note", level: "info", text });
    }
    case "group.closed": {
      const { path, outcome, members } = event.content;
      const ends = members.map(({ end }) => end).join(", ");
      const text = `${path} ended as ${outcome}: ${ends}`;
      const level = outcome === "part" ? "warn" : "info";
      return addRow(tree, event, { kind: "note", level, text });
    }
    case "child.completed":
    case "call.input.validated":
    case "call.output.validated":
      return unchanged(tree);
    default:
      return unreachable(event);
  }
}

type EventOf<Type extends CoreCallEvent["type"]> = Extract<CoreCallEvent, { type: Type }>;
type CallStarted = EventOf<"call.started">;
type ChildStarted = EventOf<"child.started">;
type FanoutFixed = EventOf<"fanout.fixed">;
type ItemClosed = EventOf<"item.closed">;

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
  return insertRow(tree, row, parent);
}

type Placeless<Of extends Row> = Omit<Of, keyof RowPlace>;

function addRow(
  tree: CallTree,
  event: CallEvent,
  content: Placeless<ActionRow> | Placeless<NoteRow> | Placeless<ItemsRow>,
): CallTree {
  const parent = findRow(tree, event.call, "call");
  return insertRow(
    tree,
    { ...content, call: event.call, depth: (parent?.depth ?? -1) + 1 },
    parent,
  );
}

/** Behind all that stands below its parent: others may have begun meanwhile. */
function insertRow({ rows, folded }: CallTree, row: Row, parent: CallRow | undefined): CallTree {
  const from = parent === undefined ? -1 : rows.indexOf(parent);
  const next = rows.findIndex((other, index) => index > from && other.depth < row.depth);
  const at = from === -1 || next === -1 ? rows.length : next;
  return { rows: rows.toSpliced(at, 0, row), folded, changed: row };
}

function unchanged({ rows, folded }: CallTree): CallTree {
  return { rows, folded };
}

function fold({ rows, folded }: CallTree, call: string): CallTree {
  return { rows, folded: folded.has(call) ? folded : new Set([...folded, call]) };
}

/** True for what happens in a call that has no row, or below one. */
function isFolded({ folded }: CallTree, { call, parentCall = "" }: CallEvent): boolean {
  return folded.has(call) || folded.has(parentCall);
}

/** True for a call that an item of a wide fan-out makes. */
function isOfItem({ rows }: CallTree, { call, content: { path = "" } }: ChildStarted): boolean {
  return rows.some(
    (row) =>
      row.kind === "items" &&
      row.call === call &&
      row.items > ITEMS_SHOWN_MAX &&
      path.startsWith(`${row.path}/`),
  );
}

function toItemsRow({ at, content: { path, items } }: FanoutFixed): Placeless<ItemsRow> {
  const state = items === 0 ? "ok" : "running";
  return { kind: "items", path, items, ok: 0, failed: 0, withdrawn: 0, startedAt: at, state };
}

function findItems({ rows }: CallTree, { call, content }: ItemClosed): ItemsRow | undefined {
  return rows.findLast(
    (row): row is ItemsRow =>
      row.kind === "items" && row.call === call && row.path === content.path,
  );
}

function countItem(row: ItemsRow, { at, content: { status } }: ItemClosed): ItemsRow {
  const field = status === "error" ? "failed" : status;
  const counted = { ...row, [field]: row[field] + 1 };
  if (counted.ok + counted.failed + counted.withdrawn < row.items) return counted;
  return settleRow(counted, at, counted.failed > 0 ? "failed" : "ok");
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
  if ("asks" in content) return { ...row, state: "asks", durationMs };
  if (content.status !== "ok") return { ...row, state: "failed", durationMs };
  if (content.action === "tool") return { ...row, state: "ok", durationMs };
  const isKnown = content.inputTokens !== undefined && content.outputTokens !== undefined;
  return { ...row, state: "ok", durationMs, ...(isKnown ? { usage: content } : {}) };
}

function settleRow<Of extends TimedRow>(row: Of, endedAt: string, state: RowState): Of {
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

function changeRow<Of extends Row>(
  { rows, folded }: CallTree,
  row: Of | undefined,
  change: (row: Of) => Of,
): CallTree {
  if (row === undefined) return { rows, folded };
  const changed = change(row);
  return { rows: rows.map((other) => (other === row ? changed : other)), folded, changed };
}

function isCore(event: CallEvent): event is CoreCallEvent {
  return !isVendorEventType(event.type);
}
