/**
 * A table: several participants at one topic. It is a composite whose flow hands to each of them in
 * turn. So every slot is a run of its own, under the participant's part of the grant and with a
 * private thread.
 */
import type { JsonObject, JsonValue } from "../../canonical-json.ts";
import type { JsonSchema } from "../../loop/json-schema.ts";
import { HANDOFF_TOOL } from "../../tool-reference.ts";
import { AuthoringError } from "../authoring-error.ts";
import { headerFields, type Loop, type LoopHeader } from "../loop.ts";
import { type Seat, TABLE_MODES, type TableMode, writeTableFlow } from "./table-flows.ts";

/** Participants of a table. */
export const PARTICIPANTS_MAX = 16;
/** Rounds of a table. */
export const TABLE_ROUNDS_MAX = 100;

export interface Participant {
  /** The loop of the participant: any that takes `topic` and `said`. */
  readonly loop: Loop<never, unknown>;
  /** The grant of a slot. It must fit inside the grant of the table. */
  readonly grant: TableGrant;
  /** The bounds of a slot's run, as of any run. One turn by default. */
  readonly bounds?: JsonObject;
}

/** The part of a grant that a slot gets: tools, budget, and any other field of a grant. */
export interface TableGrant {
  readonly tools: readonly string[];
  readonly budget: Readonly<Record<string, number>>;
}

export interface TableInput extends LoopHeader {
  readonly mode: TableMode;
  /** In their order. Of an orchestrated table the first coordinates, in a swarm it begins. */
  readonly participants: Readonly<Record<string, Participant>>;
  /** The most rounds; one by default. In a swarm, and for a coordinator, a round is one slot. */
  readonly rounds?: number;
  /** CEL over `last`, what a round gave: it is the last one where this holds. */
  readonly until?: string;
}

/**
 * The output of a coordinator and of the members of a swarm: the next participant, and the words.
 */
const directing: JsonSchema = {
  type: "object",
  properties: { to: { type: ["string", "null"] }, say: true },
  required: ["to", "say"],
};

/**
 * Defines a table.
 *
 * @example
 * const review = defineTable({
 *   id: "review",
 *   version: "1.0.0",
 *   mode: "round-robin",
 *   rounds: 2,
 *   participants: {
 *     writer: { loop: write, grant: { tools: [], budget: { modelCalls: 1 } } },
 *     critic: { loop: criticise, grant: { tools: ["local.search"], budget: { modelCalls: 2 } } },
 *   },
 * });
 */
export function defineTable(table: TableInput): Loop<JsonValue, JsonValue> {
  const { mode, participants, rounds = 1, until } = table;
  const named = Object.entries(participants);
  checkTable(table, named.length);
  const handoffs = named.map(([name, participant], index) => {
    const directs = mode === "swarm" || (mode === "orchestrated" && index === 0);
    return { name, handoff: writeHandoff(table, { name, ...participant, directs }) };
  });
  const seats = handoffs.map(
    ({ name, handoff: { definition } }): Seat => ({
      ...{ name, loopId: definition.id, loopVersion: definition.version },
    }),
  );
  const limits = until === undefined ? { rounds } : { rounds, until };
  return {
    definition: {
      ...headerFields(table),
      inputSchema: true,
      outputSchema: true,
      kind: "composite",
      composite: { flow: writeTableFlow({ mode, seats, ...limits }) },
    },
    uses: handoffs.map(({ handoff }) => handoff),
  };
}

interface Seated extends Participant {
  readonly name: string;
  /** True if it says whose slot is next. */
  readonly directs: boolean;
}

/** The handoff loop that gives a participant its slot. */
function writeHandoff(table: TableInput, seated: Seated): Loop<JsonValue, JsonValue> {
  const { id, version } = headerFields(table);
  const { name, loop, grant, bounds = { turnsMax: 1 }, directs } = seated;
  const { definition } = loop;
  const config: JsonObject = {
    ...{ loop: definition.id, version: definition.version, bounds },
    grant: grant as unknown as JsonObject,
  };
  return {
    definition: {
      ...{ id: `${id}-${name}`, name: `${id}-${name}`, version, kind: "tool" },
      inputSchema: { type: "object", required: ["topic", "said"] },
      outputSchema: directs ? directing : true,
      tool: { implementation: HANDOFF_TOOL, config },
    },
    uses: [loop],
  };
}

function checkTable({ id, mode, rounds = 1 }: TableInput, count: number): void {
  const refuse = (problem: string): never => {
    throw new AuthoringError("TABLE_UNFIT", `the table ${id} ${problem}`);
  };
  // Without types, the mode can be misspelled.
  if (!TABLE_MODES.includes(mode)) refuse(`has no mode: write one of ${TABLE_MODES.join(", ")}`);
  if (count < 2) refuse(`has ${count} participants: a table has at least 2`);
  if (count > PARTICIPANTS_MAX) refuse(`has ${count} participants: at most ${PARTICIPANTS_MAX}`);
  if (mode === "pair" && count !== 2) refuse(`is a pair of ${count}: take round-robin for more`);
  if (!Number.isSafeInteger(rounds) || rounds < 1 || rounds > TABLE_ROUNDS_MAX)
    refuse(`has ${rounds} rounds: write 1 to ${TABLE_ROUNDS_MAX}`);
}
