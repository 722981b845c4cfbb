/**
 * A graph as rows, and statements that break its rules: sent to PostgreSQL and to SQLite alike,
 * without our programs.
 */

import type { JsonObject } from "@turnseal/protocol";
import {
  type GraphEdgeRow,
  type GraphNodeRow,
  type GraphRowChange,
  LIFECYCLES,
} from "@turnseal/protocol/graph";

function idOf(name: string): string {
  const digits = Buffer.from(name).toString("hex").padEnd(8, "0").slice(0, 8);
  return `${digits}-8f3a-4c0e-9b7d-0d5f0a1b2c3d`;
}

function toNode(type: string, name: string, more: Partial<GraphNodeRow> = {}): GraphNodeRow {
  const status = more.status ?? "";
  const object: JsonObject = { ...(status === "" ? {} : { status }), ...more.object };
  const place = { owner: more.owner ?? null, place: more.place ?? null };
  return { id: idOf(name), type, status, version: more.version ?? 1, ...place, object };
}

function put(node: GraphNodeRow): GraphRowChange {
  return { kind: "node", node };
}

/** The same node with another status. */
function move(node: GraphNodeRow, status: string, object: JsonObject = {}): GraphNodeRow {
  return {
    ...node,
    status,
    version: node.version + 1,
    object: { ...node.object, ...object, status },
  };
}

function link(kind: string, from: GraphNodeRow, to: GraphNodeRow): GraphRowChange {
  const edge: GraphEdgeRow = { kind, from: from.id, to: to.id };
  return { kind: "edge", edge };
}

const context = toNode("context", "ctx", { status: "draft" });
const role = toNode("role", "role", { object: { capabilities: ["confirm.approve"] } });
const plan = toNode("plan", "plan", { status: "draft" });
const steps = ["one", "two", "six"].map((name, place) =>
  toNode("step", name, { status: "pending", owner: plan.id, place }),
);
const [one, two, six] = steps as [GraphNodeRow, GraphNodeRow, GraphNodeRow];
const confirm = toNode("confirm", "conf", { status: "pending", object: { target_type: "plan" } });
const decision = { status: "approved", decided_by_role: role.id };
const trace = toNode("trace", "trac", { status: "pending", object: { context_id: context.id } });
const misled = toNode("trace", "misl", { status: "pending", object: { context_id: plan.id } });
const running = move(trace, "running");
const segment = toNode("segment", "segm", { status: "pending", owner: trace.id, place: 0 });
const draft = toNode("plan", "drft", { status: "draft" });
const lone = toNode("step", "lone", { status: "pending", owner: draft.id, place: 0 });
const after = toNode("step", "aftr", { status: "pending", owner: draft.id, place: 1 });
const proposed = move(plan, "proposed");
const approved = move(proposed, "approved");

/** Draft, proposed and approved by a confirm of its own, in a context. */
function listApproved(draftPlan: GraphNodeRow, of: GraphNodeRow, name: string): GraphRowChange[] {
  const asked = toNode("confirm", name, { status: "pending", object: { target_type: "plan" } });
  const offered = move(draftPlan, "proposed");
  return [
    ...[put(offered), put(asked), link("CONFIRMS", asked, draftPlan)],
    ...[put(move(asked, "approved", { decisions: [decision] })), put(move(offered, "approved"))],
    link("HAS_CONTEXT", draftPlan, of),
  ];
}

function begin(draftPlan: GraphNodeRow): GraphRowChange {
  return put(move(move(move(draftPlan, "proposed"), "approved"), "in_progress"));
}

/** A plan that is carried out whose step has failed, so that the next one is blocked. */
const lost = toNode("plan", "lost", { status: "draft" });
const bad = toNode("step", "bad", { status: "pending", owner: lost.id, place: 0 });
const held = toNode("step", "held", { status: "pending", owner: lost.id, place: 1 });
const begunBad = move(bad, "in_progress");
const lostRows: readonly GraphRowChange[] = [
  ...[put(lost), put(bad), put(held), link("CONTAINS", lost, bad), link("CONTAINS", lost, held)],
  ...[link("DEPENDS_ON", held, bad), ...listApproved(lost, context, "lcon"), begin(lost)],
  ...[put(begunBad), put(move(begunBad, "failed")), put(move(held, "blocked"))],
];

/** A context that is suspended while one of its plans is carried out and another waits. */
const idle = toNode("context", "idle", { status: "draft" });
const stopped = toNode("plan", "stop", { status: "draft" });
const next = toNode("step", "next", { status: "pending", owner: stopped.id, place: 0 });
const waiting = toNode("plan", "wait", { status: "draft" });
const activeIdle = move(idle, "active");
const idleRows: readonly GraphRowChange[] = [
  ...[put(idle), put(activeIdle), put(stopped), put(next), link("CONTAINS", stopped, next)],
  ...[...listApproved(stopped, idle, "scon"), begin(stopped)],
  ...[put(waiting), ...listApproved(waiting, idle, "wcon"), put(move(activeIdle, "suspended"))],
];

/** Plans that are carried out, a draft, and a trace that has ended. */
export const RULED_GRAPH: readonly GraphRowChange[] = [
  ...[context, role, plan, ...steps].map(put),
  ...[put(move(context, "active")), link("HAS_CONTEXT", plan, context)],
  ...steps.map((step) => link("CONTAINS", plan, step)),
  ...[link("DEPENDS_ON", two, one), link("DEPENDS_ON", six, two)],
  ...[put(proposed), put(confirm), link("CONFIRMS", confirm, plan)],
  ...[put(move(confirm, "approved", { decisions: [decision] })), put(approved)],
  put(move(approved, "in_progress")),
  ...[put(trace), link("TRACES", trace, context), put(running), put(segment)],
  ...[link("CONTAINS", trace, segment), put(move(segment, "running"))],
  put(move(move(segment, "running"), "completed")),
  ...[put(move(running, "completed")), put(misled)],
  ...[put(draft), link("HAS_CONTEXT", draft, context), put(lone), put(after)],
  ...[link("CONTAINS", draft, lone), link("CONTAINS", draft, after)],
  link("DEPENDS_ON", after, lone),
  ...[...lostRows, ...idleRows],
];

/** How a database names the rows of one run. */
export interface Dialect {
  readonly node: string;
  readonly edge: string;
  /** Columns and values of the run, and both as a condition. */
  readonly columns: string;
  readonly values: string;
  readonly of: string;
}

export interface BrokenRule {
  readonly what: string;
  readonly rule: string;
  readonly sql: string;
}

/** Refused statements, each with its rule. */
export function listBroken({ node, edge, columns, values, of }: Dialect): readonly BrokenRule[] {
  const set = ({ id }: GraphNodeRow, status: string, by = 1) =>
    `update ${node} set status = '${status}', version = version + ${by},
       object = '{"status":"${status}"}' where ${of} and id = '${id}'`;
  const add = (from: GraphNodeRow, kind: string, to: { readonly id: string }) =>
    `insert into ${edge} (${columns}, source, kind, target)
       values (${values}, '${from.id}', '${kind}', '${to.id}')`;
  const create = (type: string, status: string, owner?: GraphNodeRow) =>
    `insert into ${node} (${columns}, id, type, status, version, owner, place, object)
       values (${values}, '${idOf("new")}', '${type}', '${status}', 1,
         ${owner === undefined ? "null, null" : `'${owner.id}', 9`}, '{"status":"${status}"}')`;
  const remove = ({ id }: GraphNodeRow) => `delete from ${node} where ${of} and id = '${id}'`;
  const broken: readonly (readonly [what: string, rule: string, sql: string])[] = [
    ["a trace that has ended runs again", "finished", set(trace, "running")],
    ["a trace that has ended says something else", "finished", set(trace, "completed")],
    ["a trace that has ended goes", "finished", remove(trace)],
    ["a segment that has ended is changed", "finished", set(segment, "failed")],
    ["a segment of a trace that has ended goes", "finished", remove(segment)],
    [
      "a segment is added to a trace that has ended",
      "finished",
      create("segment", "pending", trace),
    ],
    [
      "an edge of a trace that has ended goes",
      "finished",
      `delete from ${edge} where ${of} and source = '${trace.id}'`,
    ],
    ["a step needs itself", "cycle", add(lone, "DEPENDS_ON", lone)],
    ["a step needs one that needs it", "cycle", add(lone, "DEPENDS_ON", after)],
    [
      "a step needs one that is not there",
      "reference-unknown",
      add(after, "DEPENDS_ON", { id: idOf("none") }),
    ],
    ["a step needs one of another plan", "reference-unknown", add(after, "DEPENDS_ON", one)],
    ["a plan needs a step", "reference-unknown", add(draft, "DEPENDS_ON", one)],
    ["a trace has a plan for its context", "reference-unknown", add(misled, "TRACES", plan)],
    ["an edge is of no kind", "reference-unknown", add(draft, "LIKES", context)],
    ["an edge is turned", "field-fixed", `update ${edge} set kind = 'TRACES' where ${of}`],
    ["a plan begins as approved", "status-not-initial", create("plan", "approved")],
    ["a draft is carried out", "transition-unknown", set(draft, "in_progress")],
    ["a status is none of its type", "transition-unknown", set(one, "running")],
    ["a plan is completed before its steps", "steps-finished", set(plan, "completed")],
    ["a plan fails without a step that has", "step-failed", set(plan, "failed")],
    ["a step begins before what it needs", "dependencies-completed", set(two, "in_progress")],
    ["a step begins in a draft", "plan-in-progress", set(lone, "in_progress")],
    [
      "a step goes on though what it needs has failed",
      "dependencies-resolved",
      set(held, "pending"),
    ],
    ["a step begins in a context that is suspended", "context-active", set(next, "in_progress")],
    ["a plan begins in a context that is suspended", "context-active", set(waiting, "in_progress")],
    ["a step is blocked by nothing", "dependency-failed", set(two, "blocked")],
    ["a decision is taken back", "finished", set(confirm, "pending")],
    ["a version is left out", "version-stale", set(one, "in_progress", 2)],
    [
      "a node is another",
      "field-fixed",
      `update ${node} set type = 'trace', version = version + 1 where ${of} and id = '${one.id}'`,
    ],
    ["a step has no plan", "node-unknown", create("step", "pending")],
    ["a step is in a trace", "node-unknown", create("step", "pending", trace)],
    ["what others name goes", "referenced", remove(context)],
    ["a step of a plan that is carried out goes", "plan-fixed", remove(six)],
  ];
  return broken.map(([what, rule, sql]) => ({ what, rule, sql }));
}

/** Which status may follow which, as rows: without an earlier one, the first. */
export function listTransitions(): string[] {
  const all = Object.entries(LIFECYCLES).flatMap(([type, { initial, transitions }]) => [
    `${type}  ${initial}`,
    ...transitions.map(({ from, to }) => `${type} ${from} ${to}`),
  ]);
  return [...all, "role  "].toSorted();
}
