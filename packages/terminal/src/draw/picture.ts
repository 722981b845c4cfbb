/** The picture of a loop, in words and in its order; its look is decided elsewhere. */
import type { FlowNode, LoopDef, LoopReference } from "@turnseal/protocol";
import { countOf } from "../screen/count-of.ts";
import {
  describeAwaited,
  describeFanOut,
  describeShared,
  describeSource,
  shorten,
} from "./words.ts";

export type PictureKind = FlowNode["kind"] | "prompt" | "tool" | "state";

export interface Picture {
  readonly kind: PictureKind;
  readonly title: string;
  /** Further facts about it, a line each. */
  readonly notes: readonly string[];
  /** `order`: one after the other. `beside`: at once, or one of them. */
  readonly arranged: "order" | "beside";
  readonly parts: readonly Part[];
  /** Runs after a failure. */
  readonly otherwise?: Picture;
  /** Of a state: its name, and where it leads. */
  readonly state?: { readonly name: string; readonly ways: readonly Way[] };
}

export interface Way {
  readonly to: string;
  readonly when?: string;
}

export interface Part {
  /** When it runs, where that is not plain. */
  readonly label?: string;
  readonly picture: Picture;
}

/** The picture of a loop. */
export function drawLoop({ id, kind, prompt, tool, composite }: LoopDef): Picture {
  if (composite?.flow !== undefined) return drawNode(composite.flow);
  if (composite !== undefined) {
    const parts = composite.steps.map(({ outputBinding, ...step }) => ({
      picture: leaf("call", `call ${nameOf(step)}`, listGiven([named(outputBinding)])),
    }));
    return { kind: "sequence", title: "steps", notes: [], arranged: "order", parts };
  }
  if (tool !== undefined) return leaf("tool", `tool ${id}`, [`bound to ${tool.implementation}`]);
  const parts = (prompt?.tools ?? []).map((offered) => ({
    label: "may ask for",
    picture: leaf("tool", nameOf(offered), offered.independent ? ["beside others"] : []),
  }));
  return { kind: "prompt", title: `${kind} ${id}`, notes: [], arranged: "beside", parts };
}

/** The picture of a node of a flow. */
export function drawNode(node: FlowNode): Picture {
  const picture = drawBody(node);
  const whole = { ...picture, notes: [...picture.notes, ...describeShared(node)] };
  if (node.otherwise === undefined) return whole;
  return { ...whole, otherwise: drawNode(node.otherwise) };
}

function drawBody(node: FlowNode): Picture {
  switch (node.kind) {
    case "call":
      return leaf("call", `call ${nameOf(node)}`, listGiven([named(node.name)]));
    case "wait":
      return leaf("wait", `wait for ${describeAwaited(node)}`, listGiven([named(node.name)]));
    case "sequence":
      return group(
        node,
        "sequence",
        node.nodes.map((child) => ({ picture: drawNode(child) })),
      );
    case "parallel": {
      const parts = node.branches.map((child) => ({ picture: drawNode(child) }));
      const title = ["parallel", ...describeFanOut(node, node.branches.length)].join(", ");
      return { ...group(node, title, parts), arranged: "beside" };
    }
    case "branch":
      return { ...group(node, "branch", drawCases(node)), arranged: "beside" };
    case "repeat": {
      const until = node.until === undefined ? `while ${node.while ?? ""}` : `until ${node.until}`;
      const title = `repeat ${shorten(until)}, at most ${countOf(node.max, "round")}`;
      return group(node, title, [{ picture: drawNode(node.body) }]);
    }
    case "forEach": {
      const over = `for each ${node.as ?? "item"} of ${describeSource(node.items)}`;
      const title = [`${over}, at most ${node.max}`, ...describeFanOut(node)].join(", ");
      return group(node, title, [{ picture: drawNode(node.body) }]);
    }
    case "machine": {
      const { maxTransitions: most } = node;
      const limit = most === undefined ? "" : `, at most ${countOf(most, "transition")}`;
      return group(node, `machine, from ${shorten(node.initial)}${limit}`, drawStates(node));
    }
  }
}

type NodeOf<Kind extends FlowNode["kind"]> = Extract<FlowNode, { readonly kind: Kind }>;

function drawCases({ cases, else: other }: NodeOf<"branch">): Part[] {
  const parts: Part[] = cases.map((one) => ({
    label: `when ${shorten(one.when)}`,
    picture: drawNode(one.do),
  }));
  return other === undefined ? parts : [...parts, { label: "else", picture: drawNode(other) }];
}

/** In the order in which they are reached: the keys of a document have none of their own. */
function drawStates({ states, initial }: NodeOf<"machine">): Part[] {
  const order = new Set([initial]);
  for (const name of order) for (const { next } of states[name]?.transitions ?? []) order.add(next);
  for (const name of Object.keys(states)) order.add(name);
  return [...order].map((name) => {
    const { terminal = false, transitions = [], ...bodies } = states[name] ?? {};
    const parts = (["onEntry", "body", "onExit"] as const).flatMap((part) => {
      const child = bodies[part];
      if (child === undefined) return [];
      const label = { onEntry: "on entry", body: undefined, onExit: "on exit" }[part];
      return [{ ...(label === undefined ? {} : { label }), picture: drawNode(child) }];
    });
    const title = `state ${shorten(name)}${terminal ? ", the end" : ""}`;
    const ways = transitions.map(({ when, next }) => ({
      to: next,
      ...(when === undefined ? {} : { when: shorten(when) }),
    }));
    const state = { name, ways: terminal ? [] : ways };
    return { picture: { kind: "state", title, notes: [], arranged: "order", parts, state } };
  });
}

/** Where a state leads, in words. */
export function tellWays({ state }: Picture): string[] {
  return (state?.ways ?? []).map(({ to, when }) =>
    when === undefined ? `then ${shorten(to)}` : `to ${shorten(to)} when ${when}`,
  );
}

function group({ kind, name }: FlowNode, title: string, parts: readonly Part[]): Picture {
  return { kind, title, notes: listGiven([named(name)]), arranged: "order", parts };
}

function leaf(kind: PictureKind, title: string, notes: readonly string[]): Picture {
  return { kind, title, notes, arranged: "order", parts: [] };
}

function named(name: string | undefined): string | undefined {
  return name === undefined ? undefined : `as ${shorten(name)}`;
}

function listGiven(texts: readonly (string | undefined)[]): string[] {
  return texts.filter((text) => text !== undefined);
}

function nameOf({ loopId, loopVersion }: LoopReference): string {
  return shorten(loopVersion === undefined ? loopId : `${loopId} ${loopVersion}`);
}
