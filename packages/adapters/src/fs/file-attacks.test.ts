// An attacker changes the folder, or the store, while a run works. No file outside the root is
// reached, exchanged content does not count, and refusals are sealed with the rest.
import { createHmac } from "node:crypto";
import {
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  unlinkSync,
  writeFileSync,
} from "node:fs";
import { dirname, join } from "node:path";
import {
  createLocalHost,
  planAdoption,
  planReconciliation,
  readRun,
  settleFiles,
  tellAdoption,
  tellReconciliation,
} from "@turnseal/host";
import {
  createMemorySigner,
  type Digester,
  memoryStores,
  type Roots,
  seededIds,
  systemClock,
} from "@turnseal/ports";
import { canonicalize } from "@turnseal/protocol";
import type { ReconcileWay } from "@turnseal/protocol/artifact";
import { defineTool, jsonSchema } from "@turnseal/protocol/authoring";
import { type PublicKey, verifyRun } from "@turnseal/protocol/receipts";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { folderRoot } from "./folder-root.ts";
import { createFolders, putFile } from "./sample-root.test.data.ts";

let folder: string;
let outside: string;
beforeEach(() => {
  ({ folder, outside } = createFolders());
  putFile(join(outside, "a"), "secret\n");
});
afterEach(() => rmSync(dirname(folder), { recursive: true }));

const at = (path: string): string => join(folder, path);
const signer = await createMemorySigner();
const key: PublicKey = {
  ...{ keyId: signer.keyId, x: signer.x },
  ...{ issuer: "development", validFrom: "2020-01-01T00:00:00.000Z" },
};
const BY = { id: "ada", roles: [] };
const FIRST = "1\n2\n3\n4\n5\n";
const SECOND = "1\n2\n3\n4\nfive\n";

interface Written {
  readonly path: string;
  readonly text: string;
}

/** The folder, with a race after so many reads of a file. */
function openRacedRoot() {
  let race: (() => void) | undefined;
  let looks = 0;
  const createDigester = (ofRun: Uint8Array): Digester => {
    const hmac = createHmac("sha256", ofRun);
    return {
      update: (part) => hmac.update(part),
      digest: () => {
        looks -= 1;
        if (looks === 0) race?.();
        return `hmac-sha256:${hmac.digest("hex")}`;
      },
    };
  };
  const roots: Roots = {
    site: (ofRun) => folderRoot({ folder, createDigester: () => createDigester(ofRun) }),
  };
  const raceWith = (act: () => void, nth: number): void => {
    [race, looks] = [act, nth];
  };
  return { roots, raceWith };
}

/** A tool that writes one file, and notes the result. */
function defineWriter(told: string[]) {
  return defineTool({
    ...{ id: "write", version: "1.0.0", effect: "idempotent", artifacts: { root: "site" } },
    input: jsonSchema<Written>({ type: "object" }),
    output: jsonSchema<string>({ type: "string" }),
    run: async ({ path, text }, { artifacts }) => {
      const change = await artifacts.write(path, new TextEncoder().encode(text));
      told.push(change.kind === "refused" ? `refused: ${change.reason}` : change.kind);
      return change.kind;
    },
  });
}

/** A run that wrote `d/a` twice, with the hands of an attacker in its folder and its store. */
async function openDesk() {
  const clock = systemClock;
  const memory = memoryStores(clock);
  const exchanged = new Map<string, Uint8Array>();
  const { blobs } = memory;
  const read: typeof blobs.read = async (run, digest) =>
    exchanged.get(digest) ?? blobs.read(run, digest);
  const stores = { ...memory, blobs: { ...blobs, read } };
  const { roots, raceWith } = openRacedRoot();
  const told: string[] = [];
  const write = defineWriter(told);
  const ids = seededIds("attacks");
  const host = createLocalHost({ loops: [write], stores, signer, clock, ids, roots });
  const bounds = {
    ...{ awaits: ["go"], turnsMax: 9 },
    nextInput: { path: "$.signals.go.path", text: "$.signals.go.text" },
  };
  const grant = { grantor: "ada", tools: ["local.write"], budget: {} };
  const run = await host.start(write, { path: "d/a", text: FIRST }, { grant, bounds, key: "run" });
  let signals = 0;
  const send = async (path: string, text: string) => {
    const key = String(++signals);
    await host.signal(run, { name: "go", payload: { path, text }, key, by: "ada" });
    await host.advance(run);
  };
  await host.advance(run);
  await send("d/a", SECOND);
  expect(told.splice(0)).toEqual(["done", "done"]);
  const state = async () => {
    const projection = await readRun(stores, run);
    if (projection === undefined) throw new Error("the run is there");
    return projection;
  };
  const ports = { stores, roots };
  const put = stores.inbox.put;
  return {
    ...{ told, send, state, stores, run },
    raceWith,
    exchange: (digest: string) => exchanged.set(digest, new TextEncoder().encode("{}")),
    bringBack: () => exchanged.clear(),
    /** Approves a reconciliation, and returns its plan. */
    reconcile: async (way: ReconcileWay) => {
      const plan = await planReconciliation(await state(), { root: "site", way }, ports);
      if (plan.kind !== "planned") throw new Error(`there is no plan: ${plan.kind}`);
      await tellReconciliation(run, { ...plan, by: BY }, { stores, put });
      return plan.plan;
    },
    adopt: async (path: string) => {
      const plan = await planAdoption(await state(), { root: "site", paths: [path] }, ports);
      if (plan.kind !== "planned") return JSON.stringify(plan);
      await tellAdoption(run, { ...plan, by: BY }, { stores, put });
      return "told";
    },
    settle: async () => {
      await settleFiles(run, { stores, clock, ids, roots });
      const last = (await stores.log.read(run, 1)).at(-1)?.content as Record<string, unknown>;
      return String(last["why"] ?? last["way"] ?? "adopted");
    },
    /** Everything that was recorded is sealed by the next turn, and verifies. */
    seal: async () => {
      await send("sealed", "sealed\n");
      const events = await stores.log.read(run, 1);
      const receipts = (await stores.receipts.list(run, 1)).map(({ envelope }) =>
        canonicalize(envelope as never),
      );
      const { findings } = await verifyRun({ run, events, receipts }, { keys: [key] });
      return { findings };
    },
  };
}

type Desk = Awaited<ReturnType<typeof openDesk>>;

/** Puts a link to the folder outside in the place of a folder. */
const swap = (): void => {
  renameSync(at("d"), at("moved"));
  symlinkSync(outside, at("d"));
};
/** Moves the folder itself out of the root: a process that holds it open is outside with it. */
const carryOff = (): void => {
  renameSync(at("d"), join(outside, "d"));
  symlinkSync(join(outside, "d"), at("d"));
};

/** Expects an unchanged outside, except for a file that was moved there with its old bytes. */
function expectUntouched(): void {
  expect(readFileSync(join(outside, "a"), "utf8")).toBe("secret\n");
  const names = readdirSync(outside, { recursive: true }).map(String).sort();
  expect([["a"], ["a", "d", "d/a"]]).toContainEqual(names);
  if (names.includes("d/a")) expect(readFileSync(join(outside, "d/a"), "utf8")).toBe(SECOND);
}

interface ToolAttack {
  readonly name: string;
  readonly path?: string;
  readonly act?: () => void;
  readonly race?: () => void;
  readonly told: string;
}

const toolAttacks: readonly ToolAttack[] = [
  {
    name: "a link in the place of the file",
    act: () => {
      unlinkSync(at("d/a"));
      symlinkSync(join(outside, "a"), at("d/a"));
    },
    told: "refused: link",
  },
  { name: "a link in the place of its folder", act: swap, told: "refused: link" },
  { name: "its folder, out of the root and linked", act: carryOff, told: "refused: link" },
  { name: "a link on the way to a new file", path: "d/new", act: swap, told: "refused: link" },
  { name: "a link in the place of its folder, after the look", race: swap, told: "changed" },
  { name: "its folder carried off after the look", race: carryOff, told: "changed" },
  { name: "a path above the root", path: "../outside/a", told: "refused: path" },
  { name: "a path of the whole machine", path: "/etc/passwd", told: "refused: path" },
  { name: "what is kept for git", path: ".git/hooks/pre-commit", told: "refused: denied" },
];

describe("a tool that writes", () => {
  test.each(toolAttacks)("$name: $told", async ({ path = "d/a", act, race, told }) => {
    const desk = await openDesk();
    act?.();
    if (race !== undefined) desk.raceWith(race, 1);
    await desk.send(path, "by the tool\n");
    expect(desk.told).toEqual([told]);
    expectUntouched();
    expect((await desk.state()).artifacts).toMatchObject({ site: { files: 1 } });
    expect(await desk.seal()).toMatchObject({ findings: [] });
  });
});

interface WordAttack {
  readonly name: string;
  readonly way: ReconcileWay;
  /** The attack between the approval and the reconciliation. */
  readonly act: (desk: Desk, said: Awaited<ReturnType<Desk["reconcile"]>>) => Promise<void> | void;
  readonly why: string;
}

const AGAIN = "the files have changed again";
const GONE = "the content that is needed for it is gone or is not what was stored";

const wordAttacks: readonly WordAttack[] = [
  { name: "a link in the place of the folder", way: "graph-wins", act: swap, why: AGAIN },
  { name: "a folder out of the root", way: "graph-wins", act: carryOff, why: AGAIN },
  {
    ...{ name: "a folder swapped while the file is looked at", way: "graph-wins", why: AGAIN },
    act: (desk) => desk.raceWith(swap, 2),
  },
  {
    ...{ name: "a folder carried off while it is looked at", way: "merge", why: AGAIN },
    act: (desk) => desk.raceWith(carryOff, 2),
  },
  {
    ...{ name: "another page than was recorded", way: "graph-wins", why: GONE },
    act: (desk, { managed }) => void desk.exchange(managed),
  },
  {
    ...{ name: "other content than was recorded", way: "graph-wins", why: GONE },
    act: (desk, { files }) => void desk.exchange(files[0]?.recorded.digest ?? ""),
  },
  {
    ...{ name: "other content than was seen", way: "graph-wins", why: GONE },
    act: (desk, { files }) => void desk.exchange(files[0]?.seen?.digest ?? ""),
  },
  {
    name: "another ancestor",
    way: "merge",
    why: "it is not what the record says",
    act: async (desk, { files }) => {
      const [settled] = await desk.stores.log.read(desk.run, files[0]?.changedBy ?? 0, 1);
      const content = settled?.content as { artifacts: { changes: { digest: string } } };
      const { digest } = content.artifacts.changes;
      const bytes = await desk.stores.blobs.read(desk.run, digest as never);
      const { changes } = JSON.parse(new TextDecoder().decode(bytes)) as {
        changes: { before: { digest: string } }[];
      };
      desk.exchange(changes[0]?.before.digest ?? "");
    },
  },
  {
    ...{ name: "another list of what changed last", way: "merge" },
    why: "it is not what the record says",
    act: async (desk, { files }) => {
      const [settled] = await desk.stores.log.read(desk.run, files[0]?.changedBy ?? 0, 1);
      const content = settled?.content as { artifacts: { changes: { digest: string } } };
      desk.exchange(content.artifacts.changes.digest);
    },
  },
  {
    ...{ name: "something else than was shown", way: "graph-wins", why: "what was shown is gone" },
    act: async (desk) => {
      const [row] = await desk.stores.inbox.peek(desk.run, "reconcile");
      const { difference } = (row?.body ?? {}) as { difference?: { digest: string } };
      desk.exchange(difference?.digest ?? "");
    },
  },
];

describe("a person's word on files", () => {
  test.each(wordAttacks)("$way, $name: refused", async ({ way, act, why }) => {
    const desk = await openDesk();
    const theirs = way === "merge" ? FIRST.replace("1\n", "eins\n") : "by hand\n";
    writeFileSync(at("d/a"), theirs);
    const said = await desk.reconcile(way);
    await act(desk, said);
    expect(await desk.settle()).toBe(why);
    desk.bringBack();
    expect(readFileSync(join(outside, "a"), "utf8")).toBe("secret\n");
    const now = [at("moved/a"), join(outside, "d/a"), at("d/a")].flatMap((path) => {
      try {
        return [readFileSync(path, "utf8")];
      } catch {
        return [];
      }
    });
    expect(now.filter((text) => text !== "secret\n").every((text) => text === theirs)).toBe(true);
    expect(await desk.seal()).toMatchObject({ findings: [] });
  });

  test("adopts no link, and none that took the place of what was shown", async () => {
    const desk = await openDesk();
    mkdirSync(at("e"));
    symlinkSync(join(outside, "a"), at("e/link"));
    expect(await desk.adopt("e/link")).toContain('"link"');
    writeFileSync(at("e/b"), "secret\n");
    expect(await desk.adopt("e/b")).toBe("told");
    renameSync(at("e"), at("gone"));
    renameSync(join(outside, "a"), join(outside, "b"));
    symlinkSync(outside, at("e"));
    expect(await desk.settle()).toBe(AGAIN);
    expect((await desk.state()).artifacts).toMatchObject({ site: { files: 1 } });
    expect(await desk.seal()).toMatchObject({ findings: [] });
  });
});
