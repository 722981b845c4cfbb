/**
 * Three members of a group; one can be made to fail, or to be final. A ledger beside them records
 * the true effects.
 */
import { appendFileSync, existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import {
  defineComposite,
  defineTool,
  jsonSchema,
  type Loop,
  notDone,
} from "@turnseal/protocol/authoring";
import { type OnCrossing, watchLoop } from "../kit/crossings.ts";

export const MEMBERS = ["seat", "room", "pay"] as const;
type Member = (typeof MEMBERS)[number];

/** The variant of a group. */
export interface Scene {
  readonly name: string;
  /** The member that fails. */
  readonly failing?: Member;
  /** The member whose compensation fails. */
  readonly stuck?: Member;
  /** True where people approve before any action. */
  readonly isAsked?: boolean;
  /** How it ends, unless a process died in the very act of what fails. */
  readonly outcome: "all" | "none" | "part";
  readonly ends: readonly string[];
}

export const SCENES: readonly Scene[] = [
  { name: "all succeed", outcome: "all", ends: ["done", "done", "done"] },
  { name: "all are approved", isAsked: true, outcome: "all", ends: ["done", "done", "done"] },
  {
    ...{ name: "the first fails", failing: "seat", outcome: "none" },
    ends: ["not-done", "not-done", "not-done"],
  },
  {
    ...{ name: "the last fails", failing: "pay", outcome: "none" },
    ends: ["taken-back", "taken-back", "not-done"],
  },
  {
    ...{ name: "one cannot be taken back", failing: "pay", stuck: "room", outcome: "part" },
    ends: ["taken-back", "done", "not-done"],
  },
];

export interface Given {
  readonly place: string;
  readonly fails: boolean;
  readonly isStuck: boolean;
}

interface LedgerLine {
  readonly word: string;
  readonly id: string;
  readonly key: string;
}

export function readLedger(place: string): LedgerLine[] {
  const file = join(place, "ledger");
  const lines = existsSync(file) ? readFileSync(file, "utf8").split("\n").slice(0, -1) : [];
  return lines.map((line) => {
    const [word = "", id = "", key = ""] = line.split(" ");
    return { word, id, key };
  });
}

/** Acts like a service that knows its keys: a repeated request acts once. */
function record(place: string, { word, id, key }: LedgerLine): void {
  if (readLedger(place).some((line) => line.key === key)) return;
  appendFileSync(join(place, "ledger"), `${word} ${id} ${key}\n`);
}

function makeTool(id: Member) {
  return defineTool({
    ...{ id, version: "1.0.0", effect: "idempotent", build: "1" },
    input: jsonSchema<Given>({ type: "object" }),
    output: jsonSchema<{ readonly id: string }>({ type: "object" }),
    run: ({ place, fails }, { key }) => {
      if (fails) throw notDone("the member was made to fail");
      record(place, { word: "did", id, key });
      return { id };
    },
    compensate: {
      ...{ effect: "idempotent", build: "1" },
      run: (_, { input, key }) => {
        if (input.isStuck) throw notDone("the compensation was made to fail");
        record(input.place, { word: "undid", id, key });
      },
    },
  });
}

/** The composite with its tools, and a listener for every boundary. */
export function tripLoops(onCrossing?: OnCrossing): readonly Loop<never, unknown>[] {
  const tools = [makeTool("seat"), makeTool("room"), makeTool("pay")] as const;
  const [seat, room, pay] = tools;
  const trip = defineComposite({
    ...{ id: "trip", version: "1.0.0" },
    input: jsonSchema<Readonly<Record<Member, Given>>>({ type: "object" }),
    output: jsonSchema<unknown>(true),
    flow: (flow) =>
      flow.group("all", (group) =>
        group
          .call("seat", seat, ({ input: { seat: given } }) => ({
            place: given.place,
            fails: given.fails,
            isStuck: given.isStuck,
          }))
          .call("room", room, ({ input: { room: given } }) => ({
            place: given.place,
            fails: given.fails,
            isStuck: given.isStuck,
          }))
          .call("pay", pay, ({ input: { pay: given } }) => ({
            place: given.place,
            fails: given.fails,
            isStuck: given.isStuck,
          })),
      ),
  });
  const loops = [trip, ...tools] as readonly Loop<never, unknown>[];
  if (onCrossing === undefined) return loops;
  const watch = (loop: Loop<never, unknown>): Loop<never, unknown> => ({
    ...watchLoop(loop, onCrossing),
    ...(loop.uses === undefined ? {} : { uses: loop.uses.map(watch) }),
  });
  return loops.map(watch);
}

/** The start of a scene's run. */
export function startOf({ failing, stuck, isAsked = false }: Scene, place: string) {
  const input = Object.fromEntries(
    MEMBERS.map((id) => [id, { place, fails: id === failing, isStuck: id === stuck }]),
  );
  const tools = MEMBERS.flatMap((id) => [`local.${id}`, `local.${id}.undo`]);
  const rules = [
    { id: "pay", tools: ["local.pay"], decision: "ask" as const },
    { id: "rest", decision: "allow" as const },
  ];
  return {
    input,
    start: {
      ...{ key: place, by: "ada", bounds: { turnsMax: 1 } },
      grant: {
        grantor: "ada",
        tools: [...tools, "turnseal.group"],
        budget: { toolCalls: 20, effects: 20 },
      },
      ...(isAsked ? { policy: { name: "asked", rules } } : {}),
    },
  };
}
