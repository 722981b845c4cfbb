// Every run of a store that goes on while it is read.
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createLocalHost } from "@turnseal/host";
import {
  type MemoryStores,
  manualClock,
  memoryStores,
  type Stores,
  seededIds,
} from "@turnseal/ports";
import { isClaimOf, type JsonValue } from "@turnseal/protocol";
import { defineTool, jsonSchema } from "@turnseal/protocol/authoring";
import type { PublicKey } from "@turnseal/protocol/receipts";
import { openSigner, readPublicKeys } from "@turnseal/runtime/folder";
import { LOOKS_MAX } from "@turnseal/runtime/runs";
import { expect, onTestFinished, test } from "vitest";
import { createTally, KEPT_MAX } from "./store-verdict.ts";
import { type StoreWork, verifyStore } from "./verify-store.ts";

const anything = jsonSchema<JsonValue>(true);
const slice = { tools: ["local.pay"], budget: { toolCalls: 4, turns: 2, handoffs: 0 } };

interface Told {
  readonly stores: MemoryStores;
  readonly child: string;
  readonly keys: readonly PublicKey[];
}

/** Runs that each handed to another, all at their end; and the id of the first other one. */
async function handOff(times = 1): Promise<Told> {
  const tool = (id: string, implementation: string, config = {}) =>
    defineTool({
      ...{ id, version: "1.0.0", implementation, config, build: "test" },
      ...{ input: anything, output: anything },
      run: () => ({ done: true }),
    });
  const delegate = tool("delegate", "turnseal.handoff", { loop: "worker", grant: slice });
  const loops = [delegate, tool("worker", "local.pay")];
  const path = await mkdtemp(join(tmpdir(), "turnseal-verify-"));
  onTestFinished(() => rm(path, { recursive: true }));
  const signer = await openSigner(path, {});
  // After the key was made, since it signs for no time before.
  const clock = manualClock(Date.now());
  const stores = memoryStores(clock);
  const host = createLocalHost({ loops, stores, signer, clock, ids: seededIds("v") });
  const budget = { toolCalls: 20, turns: 20, handoffs: 5 };
  const grant = { grantor: "ada", tools: slice.tools, handoffs: ["worker"], budget };
  const children: string[] = [];
  for (let made = 0; made < times; made++) {
    const run = await host.start(delegate, {}, { grant, key: String(made) });
    await host.drive(run);
    const claim = (await stores.log.read(run, 1)).find((event) => isClaimOf("handoff", event));
    children.push(claim?.content.child ?? "");
  }
  return { stores, child: children[0] ?? "", keys: await readPublicKeys(path) };
}

const inFolder = (stores: MemoryStores) => ({
  path: "/nowhere",
  stores: { ...stores, close: () => {} },
});

/** The store for a reader who reads the child before its end, in so many looks. */
function readEarly({ stores, child }: Told, looks: number) {
  let seen = 0;
  const { log, receipts } = stores;
  const early: MemoryStores = {
    ...stores,
    log: {
      ...log,
      read: async (run, ...rest) =>
        (await log.read(run, ...rest)).filter(
          ({ sequence }) => run !== child || seen >= looks || sequence < 3,
        ),
    },
    receipts: {
      ...receipts,
      list: async (run, from) => {
        if (run !== child) return receipts.list(run, from);
        if (seen >= looks) return receipts.list(run, from);
        seen++;
        return [];
      },
    },
  };
  return inFolder(early);
}

test("a run that was read before another went on is read again, and nothing is wrong", async () => {
  const told = await handOff();
  for (const looks of [0, 1])
    expect(await verifyStore(readEarly(told, looks), { keys: told.keys })).toMatchObject({
      ...{ verdict: "valid", set: { findings: [] } },
    });
});

test("what is missing in every look is missing", async () => {
  const told = await handOff();
  const verdict = await verifyStore(readEarly(told, LOOKS_MAX), { keys: told.keys });
  expect(verdict.verdict).toBe("invalid");
  expect(verdict.set.findings.map(({ code }) => code)).toContain("SET_MISSING");
});

/** The verdict, and the runs that it is on. */
async function verify({ stores, keys }: Told, work: StoreWork = {}) {
  const runs: string[] = [];
  const onRun: StoreWork["onRun"] = ({ run }) => runs.push(run);
  const verdict = await verifyStore(inFolder(stores), { keys }, { ...work, onRun });
  return { verdict, runs };
}

test("every run is checked once, from any run on, with those that it started", async () => {
  const told = await handOff(5);
  const all = (await told.stores.runs.list()).map(({ run }) => run);
  const { verdict, runs } = await verify(told);
  expect(verdict).toMatchObject({ verdict: "valid", checked: 10, found: 0 });
  expect([...runs].sort()).toEqual(all);
  const ways = await Promise.all(all.map(async (after) => (await verify(told, { after })).verdict));
  expect(ways.map((way) => way.verdict)).toEqual(all.map(() => "valid"));
  expect(ways.at(-1)?.checked).toBe(0);
});

test("whoever is interrupted goes on where it was, and leaves no run out", async () => {
  const told = await handOff(5);
  const stop = new AbortController();
  const first = await verify(told, { signal: stop.signal, onProgress: () => stop.abort() });
  expect(first.verdict).toMatchObject({ verdict: "open", valid: false });
  const after = first.verdict.interrupted?.upTo ?? "";
  const rest = await verify(told, { after });
  expect(rest.verdict.interrupted).toBeUndefined();
  expect(rest.runs.length).toBeGreaterThan(0);
  const all = (await told.stores.runs.list()).map(({ run }) => run);
  expect([...first.runs, ...rest.runs].sort()).toEqual(all);
  const none = await verify(told, { signal: AbortSignal.abort() });
  expect(none.verdict).toMatchObject({ checked: 0, valid: false, interrupted: {} });
});

test("a run whose parent is away, or does not name it, is found, and so is one away", async () => {
  const told = await handOff(2);
  const { stores, child } = told;
  const [first] = await stores.log.read(child, 1, 1);
  const parent = first?.type === "run.started" ? first.content.spec.parent?.run : undefined;
  const codes = async (changed: Partial<Stores>) => {
    const { verdict } = await verify({ ...told, stores: { ...stores, ...changed } });
    expect(verdict.verdict).toBe("invalid");
    return verdict.set.findings.map(({ code, run }) => `${code} ${run}`);
  };
  const without = (away: string | undefined): Partial<Stores> => ({
    runs: {
      ...stores.runs,
      read: async (run) => (run === away ? undefined : stores.runs.read(run)),
      list: async (after) => (await stores.runs.list(after)).filter(({ run }) => run !== away),
    },
  });
  expect(await codes(without(parent))).toEqual([`SET_ORPHAN ${child}`]);
  expect(await codes(without(child))).toEqual([`SET_MISSING ${parent}`, `CHILD_MISSING ${parent}`]);
  // The parent is there, and another turn of it is: its log says nothing of a child.
  const { log, receipts } = stores;
  const unnamed: Partial<Stores> = {
    log: {
      ...log,
      read: async (run, ...rest) =>
        (await log.read(run, ...rest)).filter((event) => run !== parent || event.sequence < 2),
    },
    receipts: {
      ...receipts,
      list: async (run, ...rest) => (run === parent ? [] : receipts.list(run, ...rest)),
    },
  };
  expect(await codes(unnamed)).toEqual([`SET_ORPHAN ${child}`]);
});

test("at most KEPT_MAX of a kind are named, and all are counted", () => {
  const tally = createTally();
  for (let run = 0; run <= KEPT_MAX; run++) {
    tally.addNotStarted(`${run}`);
    const finding = { code: "SET_ORPHAN", message: "none", run: `${run}` } as const;
    tally.addFamily({ runs: [], findings: [finding] });
  }
  const verdict = tally.judge({ isWhole: true, isInterrupted: false });
  expect(verdict).toMatchObject({ verdict: "invalid", found: KEPT_MAX + 2 });
  expect(verdict.waiting.notStarted).toBe(KEPT_MAX + 1);
  for (const named of [verdict.notStarted, verdict.findings, verdict.set.findings])
    expect(named).toHaveLength(KEPT_MAX);
});
