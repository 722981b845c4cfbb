/** Checks the nodes of a flow, each with the nodes inside it. */
import { type FlowNode, formatPointer } from "@turnseal/protocol";
import {
  CACHE_TTL_MS_MAX,
  OUTPUT_PREVIEW_BYTES_MAX,
  QUESTION_WITHIN_MS_MAX,
  REPEAT_ROUNDS_MAX,
  TIMEOUT_MS_MAX,
  TRANSITIONS_DEFAULT,
  WAIT_MS_DEFAULT,
} from "../../limits.ts";
import { checkGrantFields } from "../check-grant-fields.ts";
import { checkAwaited } from "./check-awaited.ts";
import { checkFanOut } from "./check-fan-out.ts";
import { checkGroup } from "./check-group.ts";
import { checkLimit } from "./check-limit.ts";
import { checkStates } from "./check-machine.ts";
import { checkRetry } from "./check-retry.ts";
import { checkExpression, checkNodeMapping, checkSource } from "./check-sources.ts";
import type { CheckedNode, CheckedNodeOf, CheckedState } from "./checked-node.ts";
import {
  checkName,
  ERROR_FIELDS,
  ITEM_NAME,
  RESULT_FIELDS,
  type Sight,
  seeAfter,
  seeAt,
  seeMore,
} from "./sight.ts";

/** Checks a node and all that stands in it. */
export function checkNode(node: FlowNode, around: Sight): CheckedNode {
  const sight: Sight = { ...around, reads: new Set() };
  const fields = { ...checkShared(node, sight), ...checkBody(node, sight) };
  // Names that exist only inside the node are not read from outside.
  const reads = [...sight.reads].filter((name) => around.names.has(name));
  for (const name of reads) around.reads.add(name);
  return { ...fields, reads: new Set(reads) };
}

/** Checks the fields of any node. Problems of a node come before problems inside it. */
function checkShared(node: FlowNode, sight: Sight) {
  const { path, walk } = sight;
  const { report } = walk;
  if (node.name !== undefined) checkName(node.name, seeAt(sight, "name"));
  checkLimit(node.timeoutMs, { most: TIMEOUT_MS_MAX, path: `${path}/timeoutMs`, report });
  if (node.critical === false && node.onError !== undefined && node.onError !== "skip")
    report.refuse({
      rule: "flow-unfit",
      path: `${path}/onError`,
      message: `what is not critical is skipped when it failed, and this says \`${node.onError}\``,
      mend: "remove `onError`, or `critical`",
    });
  const summary = node.summary;
  return {
    at: path,
    name: node.name,
    when: given(node.when, (text) => checkExpression(text, "boolean", seeAt(sight, "when"))),
    summary:
      typeof summary === "object"
        ? checkExpression(summary.cel, "text", seeAt(sight, "summary/cel"))
        : summary,
    retry: given(node.retry, (retry) => checkRetry(retry, `${path}/retry`, report)),
    otherwise: given(node.otherwise, (child) =>
      checkNode(child, seeAt(seeMore(sight, [["error", ERROR_FIELDS]]), "otherwise")),
    ),
    onError: node.onError ?? "fail",
    isCritical: node.critical ?? true,
    timeoutMs: node.timeoutMs,
  } as const;
}

type BodyOf<Node extends CheckedNode> = Node extends CheckedNode
  ? Omit<Node, keyof ReturnType<typeof checkShared> | "reads">
  : never;

function checkBody(node: FlowNode, sight: Sight): BodyOf<CheckedNode> {
  switch (node.kind) {
    case "call":
      return checkCall(node, sight);
    case "sequence":
      return checkSequence(node, sight);
    case "parallel":
      return {
        kind: "parallel",
        ...checkFanOut(node, sight),
        branches: node.branches.map((child, index) =>
          checkNode(child, seeAt(sight, `branches/${index}`)),
        ),
      };
    case "branch":
      return checkBranch(node, sight);
    case "repeat":
      return checkRepeat(node, sight);
    case "forEach":
      return checkForEach(node, sight);
    case "machine":
      return checkMachine(node, sight);
    case "wait": {
      const { withinMs = WAIT_MS_DEFAULT, onTimeout = "fail" } = node;
      const { report } = sight.walk;
      const place = { path: `${sight.path}/withinMs`, report };
      checkLimit(withinMs, { most: QUESTION_WITHIN_MS_MAX, ...place });
      return { kind: "wait", for: checkAwaited(node.for, sight), withinMs, onTimeout };
    }
  }
}

type NodeOf<Kind extends FlowNode["kind"]> = Extract<FlowNode, { readonly kind: Kind }>;

function checkCall(node: NodeOf<"call">, sight: Sight): BodyOf<CheckedNodeOf<"call">> {
  const { grantMapping, preview, cache } = node;
  const { report } = sight.walk;
  const place = seeAt(sight, "grantMapping");
  checkGrantFields(grantMapping ?? {}, place.path, report);
  checkLimit(preview, { most: OUTPUT_PREVIEW_BYTES_MAX, path: `${sight.path}/preview`, report });
  checkLimit(cache?.ttlMs, { most: CACHE_TTL_MS_MAX, path: `${sight.path}/cache/ttlMs`, report });
  return {
    kind: "call",
    loopId: node.loopId,
    loopVersion: node.loopVersion,
    mapping: checkNodeMapping(node.inputMapping, seeAt(sight, "inputMapping")),
    grantMapping: given(grantMapping, (mapping) => checkNodeMapping(mapping, place)),
    ...{ preview, cache },
  };
}

function checkSequence(node: NodeOf<"sequence">, sight: Sight): BodyOf<CheckedNodeOf<"sequence">> {
  const isGroup = node.group === true;
  if (isGroup) checkGroup(node, sight);
  let known = sight;
  const nodes = node.nodes.map((child, index) => {
    // All members are claimed before any of them acts: none knows the result of another.
    const checked = checkNode(child, seeAt(isGroup ? sight : known, `nodes/${index}`));
    known = seeAfter(child, known);
    return checked;
  });
  const outputMapping = given(node.outputMapping, (mapping) =>
    checkNodeMapping(mapping, seeAt(known, "outputMapping")),
  );
  const members = isGroup ? nodes.filter((child) => child.kind === "call") : undefined;
  return { kind: "sequence", nodes, outputMapping, members };
}

function checkBranch(node: NodeOf<"branch">, sight: Sight): BodyOf<CheckedNodeOf<"branch">> {
  return {
    kind: "branch",
    cases: node.cases.map(({ when, do: body }, index) => ({
      when: checkExpression(when, "boolean", seeAt(sight, `cases/${index}/when`)),
      do: checkNode(body, seeAt(sight, `cases/${index}/do`)),
    })),
    otherCase: given(node.else, (body) => checkNode(body, seeAt(sight, "else"))),
  };
}

function checkRepeat(node: NodeOf<"repeat">, sight: Sight): BodyOf<CheckedNodeOf<"repeat">> {
  const { path, walk } = sight;
  checkLimit(node.max, { most: REPEAT_ROUNDS_MAX, path: `${path}/max`, report: walk.report });
  const inside = seeMore(sight, [
    ["round", undefined],
    ["last", undefined],
  ]);
  const condition = (text: string | undefined, field: string) =>
    given(text, (cel) => checkExpression(cel, "boolean", seeAt(inside, field)));
  return {
    kind: "repeat",
    body: checkNode(node.body, seeAt(inside, "body")),
    until: condition(node.until, "until"),
    while: condition(node.while, "while"),
    max: node.max,
    onMax: node.onMax ?? "fail",
    scope: node.scope ?? "isolated",
  };
}

function checkForEach(node: NodeOf<"forEach">, sight: Sight): BodyOf<CheckedNodeOf<"forEach">> {
  const as = node.as ?? ITEM_NAME;
  if (as !== ITEM_NAME) {
    checkName(as, seeAt(sight, "as"));
    if (sight.names.has(`${as}Index`)) checkName(`${as}Index`, seeAt(sight, "as"));
  }
  const fanOut = checkFanOut(node, sight);
  const items = checkSource(node.items, seeAt(sight, "items"), "list");
  const written = items.kind === "constant" && Array.isArray(items.value) ? items.value.length : 0;
  if (written > node.max)
    sight.walk.report.refuse({
      rule: "flow-unfit",
      path: `${sight.path}/items`,
      message: `${written} items are given, and there may be ${node.max}`,
      mend: "raise `max`, or give fewer",
    });
  const inside = seeMore(sight, [
    [as, undefined],
    [`${as}Index`, undefined],
  ]);
  return {
    kind: "forEach",
    ...fanOut,
    items,
    max: node.max,
    as,
    body: checkNode(node.body, seeAt(inside, "body")),
    scope: node.scope ?? "isolated",
    spread: node.spread ?? "turn",
  };
}

function checkMachine(node: NodeOf<"machine">, sight: Sight): BodyOf<CheckedNodeOf<"machine">> {
  const { path, walk } = sight;
  checkStates(node, { path, report: walk.report });
  const inside = seeMore(sight, [
    ["last", undefined],
    ["states", Object.keys(node.states)],
  ]);
  const states = Object.entries(node.states).map(([name, state]): [string, CheckedState] => {
    const here = seeAt(inside, `states${formatPointer([name])}`);
    const part = (child: FlowNode | undefined, field: string) =>
      given(child, (one) => checkNode(one, seeAt(here, field)));
    const ended = seeMore(here, [["result", RESULT_FIELDS]]);
    const transitions = (state.transitions ?? []).map(({ when, next }, index) => ({
      when: given(when, (text) =>
        checkExpression(text, "boolean", seeAt(ended, `transitions/${index}/when`)),
      ),
      next,
    }));
    const onEntry = part(state.onEntry, "onEntry");
    const body = part(state.body, "body");
    const onExit = part(state.onExit, "onExit");
    return [name, { onEntry, body, onExit, isTerminal: state.terminal ?? false, transitions }];
  });
  return {
    kind: "machine",
    initial: node.initial,
    states: new Map(states),
    maxTransitions: node.maxTransitions ?? TRANSITIONS_DEFAULT,
    scope: node.scope ?? "isolated",
  };
}

function given<Written, Checked>(
  written: Written | undefined,
  check: (written: Written) => Checked,
): Checked | undefined {
  return written === undefined ? undefined : check(written);
}
