/**
 * Ten steps with files and outside effects. Two are final; the others have compensations. A ledger
 * beside them records the true effects.
 */
import {
  appendFileSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { basename, join } from "node:path";
import { folderRoots } from "@turnseal/adapters/fs";
import type { FileRoot, Roots } from "@turnseal/ports";
import type { PlanDocument } from "@turnseal/protocol";
import {
  defineTool,
  jsonSchema,
  type Loop,
  notDone,
  type ToolArtifacts,
} from "@turnseal/protocol/authoring";
import { type OnCrossing, watchLoop } from "../kit/crossings.ts";

/** The action of each step: put a file, book a room, send a mail. */
const KINDS = ["put", "book", "put", "mail", "put", "book", "put", "book", "mail", "put"] as const;
export const STEPS = KINDS.length;

/** The files as they are before the plan. */
export function makePlace(place: string): void {
  mkdirSync(join(place, "shelf"), { recursive: true });
  writeFileSync(join(place, "shelf", "kept"), "this was here before");
  writeFileSync(join(place, "ledger"), "");
}

/** The files of a place, with what is in them and their modes. */
export function readFiles(place: string): string {
  const shelf = join(place, "shelf");
  const files = readdirSync(shelf).sort();
  return JSON.stringify(
    files.map((file) => {
      const path = join(shelf, file);
      return [file, readFileSync(path, "utf8"), statSync(path).mode];
    }),
  );
}

/** The folder that all places are in, as the root of their files. */
export function shelfRoots(folder: string, onCrossing?: OnCrossing): Roots {
  const roots = folderRoots({ shelf: folder });
  if (onCrossing === undefined) return roots;
  return Object.fromEntries(
    Object.entries(roots).map(([name, open]) => [
      name,
      (key: Uint8Array) => watchRoot(open(key), onCrossing),
    ]),
  );
}

/** Tells of what is written and removed, before and after. */
function watchRoot(root: FileRoot, onCrossing: OnCrossing): FileRoot {
  const between = async <Value>(place: string, act: () => Promise<Value>): Promise<Value> => {
    await onCrossing(`before ${place}`);
    const value = await act();
    await onCrossing(`after ${place}`);
    return value;
  };
  return {
    scan: (request) => root.scan(request),
    list: (...given) => root.list(...given),
    read: (path) => root.read(path),
    watch: (listener) => root.watch(listener),
    write: (...given) => between("write", () => root.write(...given)),
    remove: (...given) => between("remove", () => root.remove(...given)),
  };
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

/** Acts like a service that knows its keys: a repeated request acts once. */
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

interface Done {
  /** Bookings that are cancelled, the latest first. */
  readonly cancelled: string[];
  /** The number of actions that are taken back. */
  readonly takenBack: number;
  readonly final: string[];
}

/** The steps that acted: a failing step has put its files by then. */
export function doneBefore(failing: number): Done {
  const count = failing === 0 || KINDS[failing - 1] === "put" ? failing : failing - 1;
  const done = KINDS.slice(0, failing === 0 ? STEPS : count);
  const pick = (wanted: (typeof KINDS)[number]) =>
    done.flatMap((kind, index) => (kind === wanted ? [`s${index + 1}`] : [])).toReversed();
  const [cancelled, final] = [pick("book"), pick("mail")];
  return { cancelled, takenBack: pick("put").length + cancelled.length, final };
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

const fileOf = (place: string, file: string): string => `${basename(place)}/shelf/${file}`;

/** One new file, and one existing file that is overwritten. */
async function putFiles({ place, id }: Given, artifacts: ToolArtifacts): Promise<void> {
  const bytes = new TextEncoder().encode(id);
  await artifacts.write(fileOf(place, id), bytes);
  const kept = await artifacts.read(fileOf(place, "kept"));
  if (kept.kind !== "read") throw notDone("the file that was there is gone");
  const { digest: expected } = kept;
  await artifacts.write(fileOf(place, "kept"), bytes, { expected, mode: 0o600 });
}

const tools: readonly Loop<Given, Did>[] = [
  defineTool({
    ...{ ...common, id: "put", artifacts: { root: "shelf" } },
    run: async (given, { key, artifacts }) => {
      await putFiles(given, artifacts);
      return act(given, key);
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

/** The tools, their compensations, and a listener for every boundary. */
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
