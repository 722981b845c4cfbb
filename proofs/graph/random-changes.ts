/** Changes of a graph by chance: most are about what is there, and many are not allowed. */
import type { Graph, GraphChange, GraphNode, WholeType } from "@turnseal/folds/graph";
import { uuidFrom } from "@turnseal/protocol";
import { type ObjectType, STATUSES } from "@turnseal/protocol/graph";
import type { Random } from "../simulate/random.ts";

const meta = { protocol_version: "1.0.0", schema_version: "2.0.0" };
const at = "2026-11-17T12:00:00.000Z";

export interface ChangeSource {
  readonly random: Random;
  readonly graph: Graph;
  /** The seed of its ids. */
  readonly seed: string;
}

/** The first changes of every sequence: a project, somebody who may approve, and a plan. */
export function listFirst(source: ChangeSource): GraphChange[] {
  const { seed } = source;
  const context = uuidFrom(`${seed} context`);
  const root = { domain: "shop", environment: "test" };
  const capabilities = ["confirm.approve"];
  const role = { meta, role_id: uuidFrom(`${seed} role`), name: "planner", capabilities };
  return [
    {
      ...{ kind: "put", type: "context" },
      object: { meta, context_id: context, root, title: "Shop", status: "draft" },
    },
    { kind: "move", id: context, to: "active" },
    { kind: "put", type: "role", object: role },
  ];
}

/** The next change; `index` makes its ids its own. */
export function drawChange(source: ChangeSource, index: number): GraphChange {
  const { random } = source;
  const draw = random.below(100);
  if (draw < 18) return drawPut(source, index);
  if (draw < 28) return drawPart(source, index);
  if (draw < 40) return drawEdit(source, index);
  if (draw < 46) return { kind: "remove", id: pickNode(source)?.id ?? uuidFrom("nobody") };
  return drawMove(source, index);
}

function drawPut(source: ChangeSource, index: number): GraphChange {
  const { random, seed } = source;
  const type = random.pick<WholeType>(["plan", "plan", "trace", "confirm", "confirm", "role"]);
  // Now and then an id that is taken, or a status that is not the first.
  const id = random.chance(0.05) ? pickId(source, type) : uuidFrom(`${seed} ${type} ${index}`);
  const context = pickId(source, "context");
  const status = random.chance(0.05) ? random.pick(STATUSES[type === "role" ? "plan" : type]) : "";
  switch (type) {
    case "plan":
      return put(type, {
        ...{ plan_id: id, context_id: context, title: "Ship", objective: "Shipped" },
        ...{ status: status || "draft", steps: drawSteps(source, index) },
      });
    case "trace":
      return put(type, {
        ...{ trace_id: id, context_id: context, status: status || "pending" },
        ...{ root_span: { trace_id: id, span_id: uuidFrom("span") } },
        ...(random.chance(0.5) ? { plan_id: pickId(source, "plan") } : {}),
      });
    case "role":
      return put(type, { role_id: id, name: "packer", capabilities: [] });
    default:
      return put("confirm", {
        ...{ confirm_id: id, target_type: "plan", target_id: pickId(source, "plan") },
        ...{ status: status || "pending", requested_by_role: "planner", requested_at: at },
      });
  }
}

function put(type: WholeType, object: object): GraphChange {
  return { kind: "put", type, object: { meta, ...object } };
}

/** Steps of one plan: some name each other in a circle, or nobody. */
function drawSteps(source: ChangeSource, index: number): object[] {
  const { random, seed } = source;
  const count = random.between(1, 4);
  const idOf = (place: number) => uuidFrom(`${seed} step ${index} ${place}`);
  return Array.from({ length: count }, (_, place) => {
    const before = random.chance(0.06) ? count : place;
    const dependencies = Array.from({ length: before }, (_each, other) => other)
      .filter(() => random.chance(0.5))
      .map(idOf);
    if (random.chance(0.02)) dependencies.push(uuidFrom("nobody"));
    return drawStep(source, idOf(place), dependencies);
  });
}

function drawStep(source: ChangeSource, id: string, dependencies: readonly string[]): object {
  const { random } = source;
  const role = random.chance(0.2) ? { agent_role: pickId(source, "role") } : {};
  const status = random.chance(0.02) ? "completed" : "pending";
  return { step_id: id, description: "Pack", status, dependencies, ...role };
}

function drawPart(source: ChangeSource, index: number): GraphChange {
  const { random, seed } = source;
  if (random.chance(0.5)) {
    const to = pickId(source, "plan");
    const known = [pickId(source, "step")].filter(() => random.chance(0.6));
    const id = uuidFrom(`${seed} added ${index}`);
    const dependencies = random.chance(0.04) ? [id] : known;
    return { kind: "add", to, object: drawStep(source, id, dependencies) };
  }
  const parent = random.chance(0.5) ? { parent_segment_id: pickId(source, "segment") } : {};
  const segment = { segment_id: uuidFrom(`${seed} segment ${index}`), label: "pack" };
  const to = pickId(source, "trace");
  return { kind: "add", to, object: { ...segment, status: "pending", ...parent } };
}

function drawEdit(source: ChangeSource, index: number): GraphChange {
  const { random } = source;
  const isStep = random.chance(0.6);
  if (isStep) {
    const dependencies = [pickId(source, "step"), pickId(source, "step")];
    return { kind: "edit", id: pickId(source, "step"), fields: { dependencies } };
  }
  const id = pickId(source, random.pick(["plan", "context"]));
  const saw = random.chance(0.2) ? { saw: random.between(1, 4) } : {};
  return { kind: "edit", id, fields: { title: `Ship ${index}` }, ...saw };
}

function drawMove(source: ChangeSource, index: number): GraphChange {
  const { random, seed } = source;
  const node = pickNode(source);
  if (node === undefined || node.type === "role")
    return { kind: "move", id: node?.id ?? uuidFrom("nobody"), to: "completed" };
  const to = random.pick(STATUSES[node.type] as readonly string[]);
  const id = node.id;
  if (node.type !== "confirm" || random.chance(0.15)) return { kind: "move", id, to };
  const given = random.chance(0.05) ? "cancelled" : to;
  const decision = {
    ...{ decision_id: uuidFrom(`${seed} decision ${index}`), decided_at: at },
    ...{ status: given as "approved", decided_by_role: pickId(source, "role") },
  };
  return { kind: "move", id, to, decision };
}

function pickNode({ random, graph }: ChangeSource): GraphNode | undefined {
  const entries = [...graph.entries.values()];
  return entries.length === 0 ? undefined : random.pick(entries).node;
}

/** A node of a type; now and then a missing one. */
function pickId({ random, graph }: ChangeSource, type: ObjectType): string {
  const nodes = [...graph.entries.values()].filter(({ node }) => node.type === type);
  if (nodes.length === 0 || random.chance(0.02)) return uuidFrom("nobody");
  return random.pick(nodes).node.id;
}
