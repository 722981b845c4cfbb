/**
 * Graphs in which an object has a status, and everything around it lets it have another: only the
 * table of its type can then refuse it.
 */
import type { GraphChange, WholeType } from "@turnseal/folds/graph";

interface Arranged {
  readonly before: readonly GraphChange[];
  readonly tried: GraphChange;
}

const at = "2026-11-17T12:00:00.000Z";
const meta = { protocol_version: "1.0.0", schema_version: "2.0.0" };
const ids = {
  context: "000000c1-0000-4000-8000-000000000000",
  role: "000000d1-0000-4000-8000-000000000000",
  plan: "000000a1-0000-4000-8000-000000000000",
  needed: "00000051-0000-4000-8000-000000000000",
  step: "00000052-0000-4000-8000-000000000000",
  confirm: "000000f1-0000-4000-8000-000000000000",
  decision: "000000f2-0000-4000-8000-000000000000",
  trace: "00000071-0000-4000-8000-000000000000",
  segment: "00000081-0000-4000-8000-000000000000",
  collab: "000000b1-0000-4000-8000-000000000000",
  dialog: "00000091-0000-4000-8000-000000000000",
  extension: "00000061-0000-4000-8000-000000000000",
  network: "00000041-0000-4000-8000-000000000000",
  core: "00000031-0000-4000-8000-000000000000",
};
type Name = keyof typeof ids;

/** The content of each object, beside its id and its meta. */
const objects: Readonly<Partial<Record<WholeType, object>>> = {
  context: { root: { domain: "shop", environment: "test" }, title: "Shop", status: "draft" },
  role: { name: "approver", capabilities: ["confirm.approve"] },
  plan: {
    context_id: ids.context,
    title: "Ship",
    objective: "It is shipped",
    status: "draft",
    steps: [
      { step_id: ids.needed, description: "Pack", status: "pending" },
      { step_id: ids.step, description: "Send", status: "pending", dependencies: [ids.needed] },
    ],
  },
  confirm: {
    target_type: "plan",
    target_id: ids.plan,
    status: "pending",
    requested_by_role: "planner",
    requested_at: at,
  },
  trace: {
    context_id: ids.context,
    root_span: { trace_id: ids.trace, span_id: ids.segment },
    status: "pending",
    segments: [{ segment_id: ids.segment, label: "pack", status: "pending" }],
  },
  collab: {
    ...{ context_id: ids.context, title: "Review", purpose: "It is right", mode: "pair" },
    ...{ status: "draft", participants: [{ participant_id: "ada", kind: "human" }] },
    created_at: at,
  },
  dialog: { context_id: ids.context, status: "active", messages: [] },
  extension: {
    ...{ context_id: ids.context, name: "mail", extension_type: "other", version: "1.0.0" },
    status: "registered",
  },
  network: { context_id: ids.context, name: "desk", topology_type: "mesh", status: "draft" },
  core: {
    ...{ protocol_version: "1.0.0", status: "draft" },
    modules: [{ module_id: "plan", version: "1.0.0", status: "enabled" }],
  },
};

function put(type: WholeType): GraphChange {
  return { kind: "put", type, object: { meta, [`${type}_id`]: ids[type], ...objects[type] } };
}

function move(name: Name, to: string): GraphChange {
  return { kind: "move", id: ids[name], to };
}

function decide(status: "approved" | "rejected" | "cancelled"): GraphChange {
  const decision = {
    decision_id: ids.decision,
    status,
    decided_by_role: ids.role,
    decided_at: at,
  };
  return { kind: "move", id: ids.confirm, to: status, decision };
}

const done = (name: Name) => [move(name, "in_progress"), move(name, "completed")];
const failed = (name: Name) => [move(name, "in_progress"), move(name, "failed")];
const world = [put("context"), move("context", "active"), put("role"), put("plan")];
const proposed = [...world, move("plan", "proposed"), put("confirm")];
const running = [...proposed, decide("approved"), move("plan", "in_progress")];
const blocked = [...running, ...failed("needed"), move("step", "blocked")];

/** How objects come to each status that is not their first. */
const plans: Readonly<Record<string, readonly GraphChange[]>> = {
  draft: world,
  proposed,
  approved: [...proposed, decide("approved")],
  in_progress: running,
  completed: [...running, ...done("needed"), ...done("step"), move("plan", "completed")],
  failed: [...running, ...failed("needed"), move("plan", "failed")],
  cancelled: [...world, move("plan", "cancelled")],
};
const steps: Readonly<Record<string, readonly GraphChange[]>> = {
  pending: running,
  in_progress: [...running, ...done("needed"), move("step", "in_progress")],
  completed: [...running, ...done("needed"), ...done("step")],
  failed: [...running, ...done("needed"), ...failed("step")],
  blocked,
  skipped: [...running, move("step", "skipped")],
};
/** The statuses on the way to one, from the first. */
const ways: Readonly<Record<string, readonly string[]>> = {
  "context suspended": ["active", "suspended"],
  "context archived": ["active", "archived"],
  "trace completed": ["running", "completed"],
  "trace failed": ["running", "failed"],
  "segment completed": ["running", "completed"],
  "segment failed": ["running", "failed"],
  "segment cancelled": ["running", "cancelled"],
  "collab suspended": ["active", "suspended"],
  "collab completed": ["active", "completed"],
  "extension inactive": ["active", "inactive"],
  "extension deprecated": ["active", "deprecated"],
  "network active": ["provisioning", "active"],
  "network degraded": ["provisioning", "active", "degraded"],
  "network maintenance": ["provisioning", "active", "maintenance"],
  "network retired": ["provisioning", "active", "retired"],
  "core deprecated": ["active", "deprecated"],
  "core archived": ["active", "deprecated", "archived"],
};
const firsts: Readonly<Record<string, string>> = {
  ...{ context: "draft", trace: "pending", segment: "pending", collab: "draft", dialog: "active" },
  ...{ extension: "registered", network: "draft", core: "draft" },
};

export function arrangeMove(type: string, from: string, to: string): Arranged {
  const tried = move(type as Name, to);
  if (type === "plan") return arrangePlan(from, to);
  if (type === "step") return { before: [...(steps[from] ?? []), ...freeStep(from, to)], tried };
  if (type === "confirm") {
    const before = from === "pending" ? proposed : [...proposed, decide(from as "approved")];
    return { before, tried: decide(to as "approved") };
  }
  const whole = type === "segment" ? "trace" : (type as WholeType);
  const context = whole === "context" ? [] : [put("context")];
  const way = from === firsts[type] ? [] : (ways[`${type} ${from}`] ?? [from]);
  const moves = way.map((status) => move(type as Name, status));
  return { before: [...context, put(whole), ...moves], tried };
}

function arrangePlan(from: string, to: string): Arranged {
  const before = plans[from] ?? [];
  const tried = move("plan", to);
  if (from === "proposed" && to === "approved") return { before, tried: decide("approved") };
  if (from === "proposed" && to === "draft") return { before, tried: decide("rejected") };
  if (from !== "in_progress") return { before, tried };
  const isDone = to === "completed";
  const ends = isDone ? [...done("needed"), ...done("step")] : failed("needed");
  return { before: [...before, ...(isDone || to === "failed" ? ends : [])], tried };
}

/** Finishes, fails or removes the dependency of a step. */
function freeStep(from: string, to: string): readonly GraphChange[] {
  if (from === "pending" && to === "in_progress") return done("needed");
  if (from === "pending" && to === "blocked") return failed("needed");
  const isFreed = from === "blocked" && to === "pending";
  return isFreed ? [{ kind: "edit", id: ids.step, fields: { dependencies: [] } }] : [];
}
