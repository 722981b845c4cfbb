/**
 * Checks the shape of a flow (spec/flow.md §1): that every node has the fields of its kind, each of
 * its type.
 *
 * 1. Every problem is reported with where it stands, as for the rest of a loop document.
 * 2. Depth and size of its search are bounded for any input: a flow past the bounds is refused, and
 *    its deeper parts are not read.
 * 3. Names and expressions are not checked here.
 */
import { isPlainObject } from "../canonical-json.ts";
import { findNearest } from "../find-nearest.ts";
import { formatPointer } from "../pointer.ts";
import {
  checkFields,
  checkObject,
  checkReferences,
  checkVersion,
  type Report,
  refuseReserved,
} from "./check-fields.ts";
import {
  cacheFields,
  calledFields,
  caseFields,
  nodeFields,
  retryFields,
  stateFields,
  transitionFields,
  waitedFields,
} from "./flow-fields.ts";
import { FLOW_DEPTH_MAX, FLOW_NODES_MAX, NODE_KINDS, type NodeKind } from "./flow-spec.ts";
import { isReservedName } from "./reserved-names.ts";

interface Walk {
  readonly report: Report;
  /** Visited nodes. */
  nodes: number;
}

interface Place {
  readonly path: string;
  readonly depth: number;
}

/** A value that is no object was reported by the field that holds it. */
export function checkFlowShape(flow: unknown, path: string, report: Report): void {
  checkNode(flow, { path, depth: 1 }, { report, nodes: 0 });
}

function checkNode(node: unknown, place: Place, walk: Walk): void {
  if (!isPlainObject(node) || !isWithin(place, walk)) return;
  const { path } = place;
  const { report } = walk;
  const kind = node["kind"];
  if (!isNodeKind(kind)) {
    refuseKind(kind, path, report);
    return;
  }
  checkFields(node, nodeFields[kind], path, report);
  checkObject(node["retry"], retryFields, `${path}/retry`, report);
  const below = (child: unknown, segment: string): void =>
    checkNode(child, { path: `${path}/${segment}`, depth: place.depth + 1 }, walk);
  below(node["otherwise"], "otherwise");
  switch (kind) {
    case "call":
      checkVersion(node["loopVersion"], `${path}/loopVersion`, report);
      checkObject(node["cache"], cacheFields, `${path}/cache`, report);
      return;
    case "sequence":
      for (const [index, child] of listItems(node["nodes"])) below(child, `nodes/${index}`);
      return;
    case "parallel":
      for (const [index, child] of listItems(node["branches"])) below(child, `branches/${index}`);
      return;
    case "branch":
      for (const [index, item] of listItems(node["cases"])) {
        checkObject(item, caseFields, `${path}/cases/${index}`, report);
        if (isPlainObject(item)) below(item["do"], `cases/${index}/do`);
      }
      below(node["else"], "else");
      return;
    case "repeat":
      checkCondition(node, path, report);
      below(node["body"], "body");
      return;
    case "forEach":
      below(node["body"], "body");
      return;
    case "machine":
      checkStates(node["states"], `${path}/states`, report);
      for (const [name, state] of listStates(node["states"]))
        for (const part of ["onEntry", "body", "onExit"])
          below(state[part], `states${formatPointer([name])}/${part}`);
      return;
    case "wait":
      checkWaited(node["for"], `${path}/for`, report);
  }
}

/** False if the walk ends here; the first time that is reported. */
function isWithin({ path, depth }: Place, walk: Walk): boolean {
  walk.nodes += 1;
  if (walk.nodes === FLOW_NODES_MAX + 1)
    walk.report.refuse({
      rule: "flow-limit",
      path,
      message: `more than ${FLOW_NODES_MAX} nodes in one flow`,
      mend: "move some of them into a composite of their own",
    });
  if (walk.nodes > FLOW_NODES_MAX) return false;
  if (depth <= FLOW_DEPTH_MAX) return true;
  walk.report.refuse({
    rule: "flow-limit",
    path,
    message: `nodes stand more than ${FLOW_DEPTH_MAX} deep inside each other`,
    mend: "move the inner ones into a composite of their own",
  });
  return false;
}

function refuseKind(kind: unknown, path: string, report: Report): void {
  const kinds = NODE_KINDS.join(", ");
  if (kind === undefined) {
    report.refuse({
      rule: "field-missing",
      path,
      message: "`kind` is missing",
      mend: `add the field \`kind\`, one of ${kinds}`,
    });
    return;
  }
  const nearest = typeof kind === "string" ? findNearest(kind, NODE_KINDS) : undefined;
  report.refuse({
    rule: typeof kind === "string" ? "kind-unknown" : "field-type",
    path: `${path}/kind`,
    message:
      typeof kind === "string"
        ? `a node of kind \`${kind}\` is not known`
        : `${path.slice(1)}/kind must be a string`,
    mend: `write ${nearest === undefined ? "" : `${nearest}, or `}one of ${kinds}`,
  });
}

function checkCondition(node: Record<string, unknown>, path: string, report: Report): void {
  const { until, while: condition } = node;
  if ((until === undefined) === (condition === undefined))
    refuseChoice(path, "have one of `until` and `while`", report);
}

function checkStates(states: unknown, path: string, report: Report): void {
  if (!isPlainObject(states)) return;
  const names = Object.keys(states);
  if (names.length === 0 || names.includes(""))
    report.refuse({
      rule: "field-empty",
      path,
      message: `${path.slice(1)} ${names.length === 0 ? "is empty" : "has a state without a name"}`,
      mend: "give every state a name",
    });
  for (const name of names) {
    const state = states[name];
    const at = `${path}${formatPointer([name])}`;
    if (isReservedName(name)) refuseReserved(name, at, report);
    if (!isPlainObject(state)) {
      refuseChoice(at, "be an object", report);
      continue;
    }
    checkFields(state, stateFields, at, report);
    const options = { path: `${at}/transitions`, fields: transitionFields };
    checkReferences(state["transitions"], options, report);
  }
}

function listStates(states: unknown): [string, Record<string, unknown>][] {
  if (!isPlainObject(states)) return [];
  return Object.entries(states).filter((entry): entry is [string, Record<string, unknown>] =>
    isPlainObject(entry[1]),
  );
}

function checkWaited(waited: unknown, path: string, report: Report): void {
  if (!isPlainObject(waited)) return;
  const forms = Object.entries(waitedFields).filter(([name]) => waited[name] !== undefined);
  const [form, ...others] = forms;
  if (form === undefined || others.length > 0) {
    refuseChoice(path, "have one of `signal`, `question` and `until`", report);
    return;
  }
  checkFields(waited, form[1], path, report);
  const question = waited["question"];
  checkObject(question, calledFields, `${path}/question`, report);
  if (isPlainObject(question))
    checkVersion(question["loopVersion"], `${path}/question/loopVersion`, report);
}

function refuseChoice(path: string, wanted: string, report: Report): void {
  report.refuse({
    rule: "field-type",
    path,
    message: `${path.slice(1)} must ${wanted}`,
    mend: `let it ${wanted}`,
  });
}

/** The items of a list with their indices, no more of them than a flow may have nodes. */
function listItems(list: unknown): Iterable<readonly [number, unknown]> {
  return Array.isArray(list) ? list.slice(0, FLOW_NODES_MAX + 1).entries() : [];
}

function isNodeKind(value: unknown): value is NodeKind {
  return (NODE_KINDS as readonly unknown[]).includes(value);
}
