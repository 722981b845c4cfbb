/**
 * Random sequences against memory, SQLite and PostgreSQL. A graph in memory decides what is
 * allowed. Refused changes go to the stores all the same, as unchecked rows.
 */
import {
  applyChange,
  createGraph,
  foldRows,
  foldRun,
  type Graph,
  type GraphChange,
  hashRows,
  keepGraph,
  readStateHash,
} from "@turnseal/folds/graph";
import { SAMPLE_DEFAULTS, sampleEvent } from "@turnseal/ports";
import { hashEvent, type LoopEvent, uuidFrom } from "@turnseal/protocol";
import type { GraphNodeRow, GraphRowChange } from "@turnseal/protocol/graph";
import { createRandom } from "../simulate/random.ts";
import { type GraphLog, openGraphLog } from "./graph-log.ts";
import { type ProofStores, STORE_NAMES } from "./open-stores.ts";
import { drawChange, listFirst } from "./random-changes.ts";
import { drawEvent } from "./random-events.ts";
import { writeUnchecked } from "./write-unchecked.ts";

export interface SequenceResult {
  readonly steps: number;
  readonly accepted: number;
  /** How often each rule has refused. */
  readonly refused: ReadonlyMap<string, number>;
  /** Refused in memory and given to the stores as rows. */
  readonly forced: number;
  /** What did not hold, in words. */
  readonly faults: readonly string[];
}

/** Rules about the form of a change: its rows have nothing that a database could refuse. */
const ofWords: ReadonlySet<string> = new Set(["object-invalid", "node-unknown", "field-fixed"]);

/** Changes of any object, the refused ones as rows that nobody has checked. */
export async function runChanges(proof: ProofStores, seed: number): Promise<SequenceResult> {
  const logs = await openLogs(proof, `changes ${seed}`);
  const random = createRandom(seed);
  const tally = createTally();
  let rows: GraphRowChange[] = [];
  const graph = createGraph((change) => rows.push(change));
  const accepted: GraphChange[] = [];
  const source = { random, graph, seed: String(seed) };
  const steps = random.between(8, 24);
  let previous: LoopEvent | undefined;
  for (let index = 0; index < steps; index++) {
    const change = listFirst(source)[index] ?? drawChange(source, index);
    const unchecked = writeUnchecked(graph, change);
    const hidden = isHidden(graph, change);
    rows = [];
    const answer = applyChange(graph, change);
    const isAllowed = answer.kind === "changed";
    tally.count(isAllowed ? undefined : answer.rule);
    if (isAllowed) accepted.push(change);
    const isOfWords = !isAllowed && (ofWords.has(answer.rule) || hidden);
    const changes = isAllowed ? rows : unchecked;
    if (changes === undefined || isOfWords) continue;
    if (!isAllowed) tally.force();
    const event = nextEvent(logs, previous);
    const graphWrite = { from: previous?.sequence ?? 0, changes };
    for (const [store, log] of logs) {
      // The stores in memory keep rows and no rules: there the graph itself is what refuses.
      if (store === "memory" && !isAllowed) continue;
      const isTaken = await (isAllowed ? log.append : log.force)(event, graphWrite);
      if (isTaken !== isAllowed)
        tally.fault(`${store} ${isTaken ? "takes" : "refuses"} ${render(change, answer)}`);
    }
    if (tally.hasFaults()) return tally.read();
    if (isAllowed) previous = event;
  }
  await compareRows(logs, rebuild(accepted), tally);
  const hash = readStateHash(graph);
  if (hash !== hashRows(listNodes(rebuild(accepted)))) tally.fault("the state hash is another");
  return tally.read();
}

/**
 * True for changes that rows do not show. A move to the current status makes no event. And a
 * decided confirm stays: the rows cannot tell whether its decision or a second move changed the
 * plan.
 */
function isHidden(graph: Graph, change: GraphChange): boolean {
  if (change.kind !== "move") return false;
  const { node, incoming } = graph.entries.get(change.id) ?? {};
  if (node !== undefined && "status" in node.object && node.object.status === change.to)
    return true;
  if (node?.type !== "plan") return false;
  return [...(incoming?.values() ?? [])].some(({ kind, from }) => {
    const object = graph.entries.get(from)?.node.object;
    return kind === "CONFIRMS" && object !== undefined && "decisions" in object;
  });
}

function render(change: GraphChange, answer: object): string {
  return `${JSON.stringify(change)}: ${JSON.stringify(answer)}`;
}

/**
 * The events of a run; those about plans that break a rule are refused before they are appended.
 */
export async function runEvents(proof: ProofStores, seed: number): Promise<SequenceResult> {
  const logs = await openLogs(proof, `events ${seed}`);
  const run = logs[0]?.[1].run ?? "";
  const tally = createTally();
  const keeper = keepGraph(run);
  const source = { random: createRandom(seed), run, events: [] as LoopEvent[] };
  const steps = source.random.between(8, 40);
  for (let index = 0; index < steps; index++) {
    const event = drawEvent(source);
    const objection = keeper.take(event);
    tally.count(objection?.rule);
    if (objection !== undefined) continue;
    source.events.push(event);
    const graphWrite = keeper.write();
    for (const [store, log] of logs)
      if (!(await log.append(event, graphWrite))) tally.fault(`${store} refuses ${event.type}`);
    if (tally.hasFaults()) return tally.read();
  }
  const rows = foldRows(run, source.events);
  await compareRows(logs, rows, tally);
  const whole = foldRun(run);
  for (const event of source.events) whole.follow(event);
  if (readStateHash(whole.graph) !== hashRows(listNodes(rows)))
    tally.fault("the state hash is not that of the whole log");
  return tally.read();
}

type Logs = readonly (readonly [string, GraphLog])[];

async function openLogs({ stores }: ProofStores, name: string): Promise<Logs> {
  const run = uuidFrom(name);
  const open = async (store: (typeof STORE_NAMES)[number]) =>
    [store, await openGraphLog(stores[store], run)] as const;
  return Promise.all(STORE_NAMES.map(open));
}

function nextEvent(logs: Logs, previous: LoopEvent | undefined): LoopEvent {
  const run = logs[0]?.[1].run ?? "";
  const sequence = (previous?.sequence ?? 0) + 1;
  const event = sampleEvent("log", SAMPLE_DEFAULTS.log, { run, sequence });
  const { hash: _, ...unsigned } = { ...event, previous: previous?.hash ?? "" };
  return { ...unsigned, hash: hashEvent(unsigned) };
}

/** The rows of the changes that were accepted, from nothing. */
function rebuild(accepted: readonly GraphChange[]): GraphRowChange[] {
  const rows: GraphRowChange[] = [];
  const graph = createGraph((change) => rows.push(change));
  for (const change of accepted) applyChange(graph, change);
  return rows;
}

/** The latest row of each node that is there. */
function listNodes(changes: readonly GraphRowChange[]): Iterable<GraphNodeRow> {
  const nodes = new Map<string, GraphNodeRow>();
  for (const change of changes) {
    if (change.kind === "node") nodes.set(change.node.id, change.node);
    if (change.kind === "node-removed") nodes.delete(change.id);
  }
  return nodes.values();
}

/** Every store has the same rows; dropped and written again, it has them again. */
async function compareRows(
  logs: Logs,
  rows: readonly GraphRowChange[],
  tally: Tally,
): Promise<void> {
  const kept = await Promise.all(logs.map(([, log]) => log.read()));
  const anew = await Promise.all(logs.map(([, log]) => log.rewrite(rows)));
  for (const [place, [store]] of logs.entries()) {
    if (kept[place] !== kept[0]) tally.fault(`${store} has other rows than memory`);
    if (anew[place] !== kept[place]) tally.fault(`${store} has other rows after a rebuild`);
  }
}

type Tally = ReturnType<typeof createTally>;

function createTally() {
  const refused = new Map<string, number>();
  const faults: string[] = [];
  let [steps, accepted, forced] = [0, 0, 0];
  return {
    count: (rule: string | undefined): void => {
      steps += 1;
      if (rule === undefined) accepted += 1;
      else refused.set(rule, (refused.get(rule) ?? 0) + 1);
    },
    force: (): void => {
      forced += 1;
    },
    fault: (words: string): void => {
      faults.push(words);
    },
    hasFaults: (): boolean => faults.length > 0,
    read: (): SequenceResult => ({ steps, accepted, refused, forced, faults }),
  };
}
