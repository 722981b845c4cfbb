/**
 * The flows of a table, one for each way in which its participants take turns. Each slot is a call
 * of a handoff. Its input is `topic`, the input of the table, and `said`, the words before it.
 */
import type { CallNode, FlowNode, RepeatNode } from "../../loop/flow-spec.ts";
import type { MappingSource } from "../../loop/mapping.ts";

/** How participants take turns: a closed set. */
export const TABLE_MODES = ["round-robin", "broadcast", "pair", "orchestrated", "swarm"] as const;
export type TableMode = (typeof TABLE_MODES)[number];

/** A participant, and the loop that hands to it. */
export interface Seat {
  readonly name: string;
  readonly loopId: string;
  readonly loopVersion: string;
}

export interface TableFlow {
  readonly mode: TableMode;
  /** At least two. */
  readonly seats: readonly Seat[];
  readonly rounds: number;
  /** CEL, after each round, over `last`, what the round gave. */
  readonly until?: string;
}

export function writeTableFlow(table: TableFlow): FlowNode {
  switch (table.mode) {
    case "round-robin":
    case "pair":
      return inTurn(table);
    case "broadcast":
      return allAtOnce(table);
    case "orchestrated":
      return byCoordinator(table);
    case "swarm":
      return byHand(table);
  }
}

/** One after the other, in their order, round by round: each gets the words of the one before. */
function inTurn(table: TableFlow): FlowNode {
  const nodes = table.seats.map((seat, index) => {
    const said: MappingSource = index === 0 ? LAST : `$.slot${index - 1}.output`;
    return { ...take(seat, said), name: `slot${index}` };
  });
  return again(table, { kind: "sequence", nodes });
}

/** All at once: each gets the words of all from the round before. */
function allAtOnce(table: TableFlow): FlowNode {
  const branches = table.seats.map((seat) => take(seat, LAST));
  return again(table, { kind: "parallel", branches });
}

/** The first decides whose slot is next, with what words; it gets their answer. */
function byCoordinator(table: TableFlow): FlowNode {
  const [lead, ...members] = table.seats;
  const cases = members.map((seat) => ({
    when: `lead.output.to == ${quote(seat.name)}`,
    do: take(seat, "$.lead.output.say"),
  }));
  const body: FlowNode = {
    kind: "sequence",
    nodes: [
      { ...take(lead as Seat, { cel: "last == null ? null : last.said" }), name: "lead" },
      { kind: "branch", name: "member", cases },
    ],
    outputMapping: {
      ...{ to: "$.lead.output.to", say: "$.lead.output.say", said: "$.member.output" },
    },
  };
  return again(table, body, `!(last.to in ${quoteAll(members)})`);
}

/** Each says whose slot is next: any other's. The first begins. */
function byHand(table: TableFlow): FlowNode {
  const cases = table.seats.map((seat, index) => ({
    when:
      index === 0
        ? `last == null || last.to == ${quote(seat.name)}`
        : `last != null && last.to == ${quote(seat.name)}`,
    do: hold(seat),
  }));
  const isOver = `last.to == last.by || !(last.to in ${quoteAll(table.seats)})`;
  return again(table, { kind: "branch", cases }, isOver);
}

function hold(seat: Seat): FlowNode {
  return {
    kind: "sequence",
    nodes: [{ ...take(seat, { cel: "last == null ? null : last.say" }), name: "slot" }],
    outputMapping: {
      ...{ by: { const: seat.name }, to: "$.slot.output.to", say: "$.slot.output.say" },
    },
  };
}

/** The output of the round before; null in the first. */
const LAST: MappingSource = { cel: "last" };

/** A slot. */
function take({ loopId, loopVersion }: Seat, said: MappingSource): CallNode {
  return { kind: "call", loopId, loopVersion, inputMapping: { topic: "$.input", said } };
}

/** Rounds until there is nothing left to do, or the last is over: both are normal ends. */
function again({ rounds, until }: TableFlow, body: FlowNode, isOver?: string): RepeatNode {
  const ends = [isOver, until].filter((end) => end !== undefined);
  const condition = ends.map((end) => `(${end})`).join(" || ");
  return {
    kind: "repeat",
    body,
    until: condition === "" ? "false" : condition,
    max: rounds,
    onMax: "continue",
  };
}

function quote(name: string): string {
  return JSON.stringify(name);
}

function quoteAll(seats: readonly Seat[]): string {
  return `[${seats.map(({ name }) => quote(name)).join(", ")}]`;
}
