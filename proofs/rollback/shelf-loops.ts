/**
 * Ten steps with files and outside effects, of which two are final, and what takes the others back.
 * What truly happened stands in a ledger beside them.
 */
import {
  appendFileSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import type { PlanDocument } from "@turnseal/protocol";
import { defineTool, jsonSchema, type Loop, notDone } from "@turnseal/protocol/authoring";
import { type OnCrossing, watchLoop } from "../crash/crossings.ts";

/** What each step does: a file is put, a room is booked, a mail is sent. */
const KINDS = ["put", "book", "put", "mail", "put", "book", "put", "book", "mail", "put"] as const;
export const STEPS = KINDS.length;

/** The files as they are before the plan. */
export function makePlace(place: string): void {
  mkdirSync(join(place, "shelf"), { recursive: true });
  writeFileSync(join(place, "shelf", "kept"), "this was here before");
  writeFileSync(join(place, "ledger"), "");
}

/** The files of a place, with what is in them. */
export function readFiles(place: string): string {
  const shelf = join(place, "shelf");
  const files = readdirSync(shelf).sort();
  return JSON.stringify(files.map((file) => [file, readFileSync(join(shelf, file), "utf8")]));
}

export interface LedgerLine {
  readonly word: string;
  readonly id: string;
  readonly key: string;
}

export function readLedger(place: string): LedgerLine[] {
  const lines = readFileSync(join(place, "ledger"), "utf8").split("\n").slice(0, -1);
  return lines.map((line) => {
    const [word = "", id = "", key = ""] = line.split(" ");
    return { word, id, key };
  });
}

/** As a service does that knows its keys: what is asked for twice is done once. */
function record(place: string, { word, id, key }: LedgerLine): void {
  if (readLedger(place).some((line) => line.key === key)) return;
  appendFileSync(join(place, "ledger"), `${word} ${id} ${key}\n`);
}

/** The plan whose step fails that stands at this place, from 1; none does with 0. */
export function planOf(place: string, failing: number): PlanDocument {
  return {
    title: "ten steps",
    steps: KINDS.map((loop, index) => ({
      ...{ id: `s${index + 1}`, loop },
      input: { place, id: `s${index + 1}`, fails: index + 1 === failing },
      ...(index === 0 ? {} : { after: [`s${index}`] }),
    })),
  };
}

/** The steps that were done, the latest first, and which of them are final. */
export function doneBefore(failing: number): { undone: string[]; final: string[] } {
  const count = failing === 0 ? STEPS : failing - 1;
  const done = KINDS.slice(0, count).map((kind, index) => ({ kind, id: `s${index + 1}` }));
  const pick = (isFinal: boolean) =>
    done.filter(({ kind }) => (kind === "mail") === isFinal).map(({ id }) => id);
  return { undone: pick(false).toReversed(), final: pick(true).toReversed() };
}

interface Given {
  readonly place: string;
  readonly id: string;
  readonly fails: boolean;
}
interface Did {
  readonly id: string;
}

const common = {
  ...({ version: "1.0.0", effect: "idempotent", build: "1" } as const),
  input: jsonSchema<Given>({ type: "object" }),
  output: jsonSchema<Did>({ type: "object" }),
};

function act({ place, id, fails }: Given, key: string): Did {
  if (fails) throw notDone("the step was made to fail");
  record(place, { word: "did", id, key });
  return { id };
}

const fileOf = ({ place, id }: Given): string => join(place, "shelf", id);

const tools: readonly Loop<Given, Did>[] = [
  defineTool({
    ...{ ...common, id: "put" },
    run: (given, { key }) => {
      const did = act(given, key);
      writeFileSync(fileOf(given), given.id);
      return did;
    },
    compensate: {
      ...{ effect: "idempotent", build: "1" },
      run: ({ id }, { input, key }) => {
        rmSync(fileOf(input), { force: true });
        record(input.place, { word: "undid", id, key });
      },
    },
  }),
  defineTool({
    ...{ ...common, id: "book" },
    run: (given, { key }) => act(given, key),
    compensate: {
      ...{ effect: "idempotent", build: "1" },
      run: ({ id }, { input, key }) => record(input.place, { word: "undid", id, key }),
    },
  }),
  defineTool({
    ...{ ...common, id: "mail", irreversible: "mail that was sent cannot be called back" },
    run: (given, { key }) => act(given, key),
  }),
];

/** The tools, and what takes them back, with somebody who is told of every boundary. */
export function shelfLoops(onCrossing?: OnCrossing): readonly Loop<never, unknown>[] {
  if (onCrossing === undefined) return tools as readonly Loop<never, unknown>[];
  return (tools as readonly Loop<never, unknown>[]).map((tool) => ({
    ...watchLoop(tool, onCrossing),
    ...(tool.uses === undefined
      ? {}
      : { uses: tool.uses.map((undo) => watchLoop(undo, onCrossing)) }),
  }));
}

export const shelfGrant = {
  ...{ grantor: "ada", tools: ["local.put", "local.book", "local.mail", "turnseal.plan"] },
  budget: { toolCalls: 20, effects: 20 },
};
