/**
 * Makes the document of a flow. The types of `flow.ts` are its whole safety: at run time every
 * source is a proxy that records a path.
 */
import type { FlowNode, SequenceNode, StateSpec } from "../../loop/flow-spec.ts";
import type { FlowSpec } from "../../loop/loop-def.ts";
import type { Mapping } from "../../loop/mapping.ts";
import { type SchemaSource, toJsonSchema } from "../json-schema-source.ts";
import type { Loop } from "../loop.ts";
import { toMapping, toSource } from "../mapping-fields.ts";
import { createReference } from "../reference.ts";
import { toCel } from "./cel.ts";
import type { ComposedFlow, FlowStart } from "./flow.ts";

type Sources = Readonly<Record<string, unknown>>;
type Write = (sources: Sources) => object;
type Parts = Readonly<Record<string, unknown>>;

interface Written {
  readonly nodes: readonly FlowNode[];
  readonly outputMapping?: Mapping;
  readonly uses: readonly Loop<never, unknown>[];
}
type WriteBody = (flow: unknown) => Written;

/** The body of a composite that a function over an empty flow writes. */
export function writeFlow<Names>(write: (flow: FlowStart<Names>) => ComposedFlow<unknown>): {
  readonly spec: FlowSpec;
  readonly uses: readonly Loop<never, unknown>[];
} {
  const begin = createFlow({ nodes: [], uses: [] }, { input: createReference(["input"]) });
  const written = write(begin as FlowStart<Names>);
  return { spec: { flow: toNode(written) }, uses: written.uses };
}

/** The parts that the methods of a flow write with. */
interface Place {
  readonly sources: Sources;
  /** The node that a function makes which writes a body; it may know more names. */
  readonly body: (write: unknown, more?: Sources) => FlowNode;
}
interface Writer extends Place {
  /** The nodes that such a function writes, as a sequence. */
  readonly sequence: (write: unknown) => SequenceNode;
  /** The flow with this node at its end. */
  readonly add: (name: string, node: object, options?: Parts) => unknown;
  /** Names a loop, with the mapping to its input. */
  readonly refer: (loop: Loop, mapping: Write) => Readonly<Record<"loopVersion", string>>;
}

function createFlow({ nodes, uses }: Written, sources: Sources): unknown {
  // The loops of this node and of its bodies, in the order in which they are written.
  const used: Loop<never, unknown>[] = [...uses];
  const compose = (write: unknown, more: Sources = {}): Written => {
    const begin = createFlow({ nodes: [], uses: [] }, { ...sources, ...more });
    const written = (write as WriteBody)(begin);
    used.push(...written.uses);
    return written;
  };
  const body: Writer["body"] = (write, more) => toNode(compose(write, more));
  const writer: Writer = {
    sources,
    body,
    sequence: (write) => toSequence(compose(write)),
    add: (name, node, options = {}) => {
      const fields = { ...node, name, ...writeOptions(options, { sources, body }) };
      return createFlow(
        // Every field comes from a parameter whose type is that of the document.
        { nodes: [...nodes, fields as FlowNode], uses: used },
        { ...sources, [name]: createReference([name], sureLengthOf(options)) },
      );
    },
    refer: (loop, mapping) => {
      used.push(loop);
      const { id, version } = loop.definition;
      return { loopId: id, loopVersion: version, inputMapping: toMapping(mapping(sources)) };
    },
  };
  return {
    nodes,
    uses,
    output: (mapping: Write) => ({ nodes, uses, outputMapping: toMapping(mapping(sources)) }),
    ...createCalls(writer),
    ...createFanOuts(writer),
    ...createChoices(writer),
    ...createWaits(writer),
  };
}

function createCalls({ sources, add, sequence, refer }: Writer): object {
  return {
    call: (name: string, loop: Loop, mapping: Write, { grant, pinned, ...rest }: Parts = {}) => {
      const { loopVersion, ...called } = refer(loop, mapping);
      const version = pinned === false ? {} : { loopVersion };
      const narrowed =
        grant === undefined ? {} : { grantMapping: toMapping((grant as Write)(sources)) };
      return add(name, { kind: "call", ...called, ...version, ...narrowed }, rest);
    },
    sequence: (name: string, write: unknown, options?: Parts) =>
      add(name, sequence(write), options),
    group: (name: string, write: unknown, options?: Parts) =>
      add(name, { ...sequence(write), group: true }, options),
  };
}

function createFanOuts({ sources, add, body }: Writer): object {
  return {
    parallel: (name: string, bodies: readonly unknown[], options?: Parts) =>
      add(name, { kind: "parallel", branches: bodies.map((write) => body(write)) }, options),
    forEach: (name: string, items: Write, options: Parts, write: unknown) => {
      const as = typeof options["as"] === "string" ? options["as"] : "item";
      const inside = Object.fromEntries(
        [as, `${as}Index`].map((known) => [known, createReference([known], 1)]),
      );
      const list = toSource(items(sources));
      return add(name, { kind: "forEach", items: list, body: body(write, inside) }, options);
    },
  };
}

function createChoices({ sources, add, body }: Writer): object {
  return {
    branch: (name: string, cases: readonly Parts[], { else: other, ...options }: Parts = {}) => {
      const written = cases.map(({ when, do: write }) => ({
        when: toCondition(when, sources),
        do: body(write),
      }));
      const last = other === undefined ? {} : { else: body(other) };
      return add(name, { kind: "branch", cases: written, ...last }, options);
    },
    repeat: (name: string, write: unknown, { until, while: whilst, ...options }: Parts) => {
      const round = createReference(["round"], 1);
      const before = { round, last: createReference(["last"], 0) };
      const after = { ...sources, round, last: createReference(["last"], 1) };
      const ends = until === undefined ? {} : { until: toCondition(until, after) };
      const goesOn =
        whilst === undefined ? {} : { while: toCondition(whilst, { ...sources, ...before }) };
      return add(name, { kind: "repeat", body: body(write, before), ...ends, ...goesOn }, options);
    },
    machine: (name: string, write: (machine: unknown) => unknown, options?: Parts) => {
      const inside = { last: createReference(["last"], 0), states: createReference(["states"], 1) };
      const machine = createMachine({
        sources: { ...sources, ...inside },
        body: (part) => body(part, inside),
      });
      return add(name, { kind: "machine", ...(write(machine) as object) }, options);
    },
  };
}

function createWaits({ sources, add, refer }: Writer): object {
  return {
    waitForSignal: (name: string, { signal, schema, ...options }: Parts) => {
      const form =
        schema === undefined
          ? {}
          : { schema: toJsonSchema(schema as SchemaSource<unknown>, "the schema of a wait") };
      return add(name, { kind: "wait", for: { signal, ...form } }, options);
    },
    waitForAnswer: (name: string, loop: Loop, mapping: Write, options?: Parts) =>
      add(name, { kind: "wait", for: { question: refer(loop, mapping) } }, options),
    waitUntil: (name: string, instant: (sources: Sources) => unknown, options?: Parts) =>
      add(name, { kind: "wait", for: { until: toSource(instant(sources)) } }, options),
  };
}

function writeOptions(options: Parts, { sources, body }: Place): Parts {
  const { when, summary, otherwise, ...plain } = options;
  const line = typeof summary === "function" ? { cel: toCondition(summary, sources) } : summary;
  const error = createReference(["error"], 2);
  const written = {
    ...plain,
    when: when === undefined ? undefined : toCondition(when, sources),
    summary: line,
    otherwise: otherwise === undefined ? undefined : body(otherwise, { error }),
  };
  return Object.fromEntries(Object.entries(written).filter(([, value]) => value !== undefined));
}

function createMachine(place: Place): unknown {
  const states: [string, StateSpec][] = [];
  const transition = (given: Parts) => {
    const { when, next } = given;
    const sources = { ...place.sources, result: createReference(["result"], 2) };
    return { ...(when === undefined ? {} : { when: toCondition(when, sources) }), next };
  };
  const machine = {
    state: (name: string, ...given: readonly unknown[]) => {
      const write = given.length > 1 ? given[0] : undefined;
      const { onEntry, onExit, terminal, transitions } = given.at(-1) as Parts;
      const state = {
        ...(onEntry === undefined ? {} : { onEntry: place.body(onEntry) }),
        ...(write === undefined ? {} : { body: place.body(write) }),
        ...(onExit === undefined ? {} : { onExit: place.body(onExit) }),
        ...(terminal === undefined ? {} : { terminal }),
        ...(Array.isArray(transitions) ? { transitions: transitions.map(transition) } : {}),
      };
      // The parameters above have the types of the document.
      states.push([name, state as unknown as StateSpec]);
      return machine;
    },
    initial: (initial: string) => ({ initial, states: Object.fromEntries(states) }),
  };
  return machine;
}

/** A body of one node is that node, without its name: nothing follows that could read it. */
function toNode(written: Written): FlowNode {
  const [first, second] = written.nodes;
  if (first === undefined || second !== undefined || written.outputMapping !== undefined)
    return toSequence(written);
  const { name: _, ...bare } = first;
  return bare;
}

function toSequence({ nodes, outputMapping }: Omit<Written, "uses">): SequenceNode {
  return { kind: "sequence", nodes, ...(outputMapping === undefined ? {} : { outputMapping }) };
}

function toCondition(write: unknown, sources: Sources): string {
  return toCel((write as (sources: Sources) => unknown)(sources));
}

/**
 * A node that may be skipped has no sure result, and a node that goes on after an error no sure
 * output.
 */
function sureLengthOf({ when, onError, critical }: Parts): number {
  if (when !== undefined || onError === "skip" || critical === false) return 0;
  return onError === "continue" ? 1 : 2;
}
