import type { RunProjection } from "@turnseal/folds";
import { manualClock, memoryStores, type Signer, type Stores, seededIds } from "@turnseal/ports";
import { defineTool, jsonSchema, type Loop } from "@turnseal/protocol/authoring";
import { expect, test } from "vitest";
import { advance } from "../advance.ts";
import { bindHost } from "../bind-host.ts";
import { createLocalHost } from "../local/local-host.ts";
import { readRun } from "../state/read-run.ts";
import { findReleaseLack } from "./find-release-lack.ts";
import { describeRelease, isReleaseName, type Release } from "./release.ts";

const signer: Signer = { keyId: "k", issuer: "ci", sign: async () => new Uint8Array(64) };
const any = jsonSchema<object>(true);
const grant = { grantor: "ada", tools: ["local.pay"], budget: {} };
const policy = { name: "ask", rules: [{ id: "all", decision: "ask" as const }] };

const pay = (version: string, build = version): Loop<object, object> =>
  defineTool({
    ...{ id: "pay", version, input: any, output: any, effect: "once", build },
    run: () => ({ version }),
  });

interface Parked {
  readonly stores: Stores;
  readonly run: string;
  readonly read: () => Promise<RunProjection>;
  readonly releaseOf: (...loops: Loop<object, object>[]) => Release;
}

/** A run of version 1.0.0 that waits for a person. */
async function park(): Promise<Parked> {
  const clock = manualClock();
  const stores = memoryStores(clock);
  const host = createLocalHost({
    ...{ loops: [pay("1.0.0")], stores, signer, clock, ids: seededIds("release") },
  });
  const run = await host.start(pay("1.0.0"), {}, { grant, policy });
  await host.drive(run);
  return {
    ...{ stores, run },
    read: async () => {
      const projection = await readRun(stores, run);
      if (projection === undefined) throw new Error("the run is there");
      return projection;
    },
    releaseOf: (...loops) => describeRelease(bindHost({ loops, stores, signer })),
  };
}

test("a release with the pinned loop lacks nothing, whatever its build and beside it", async () => {
  const { stores, read, releaseOf } = await park();
  for (const release of [
    releaseOf(pay("1.0.0")),
    releaseOf(pay("2.0.0"), pay("1.0.0")),
    releaseOf(pay("1.0.0", "another build")),
  ])
    expect(await findReleaseLack(release, await read(), stores)).toBeUndefined();
});

test("no release lacks the loop of a plan: each makes it from the run", async () => {
  const { stores, read, releaseOf } = await park();
  const { spec, ...run } = await read();
  const [pin] = Object.values(spec?.pinned ?? {});
  const pinned = (id: string) => ({ ...run, spec: { ...spec, pinned: { x: { ...pin, id } } } });
  const lack = (id: string) =>
    findReleaseLack(releaseOf(pay("1.0.0")), pinned(id) as RunProjection, stores);
  expect(await lack("plan-00112233445566ff00112233445566ff")).toBeUndefined();
  expect(await lack("turnseal.plan")).toBeUndefined();
  for (const id of [
    "plan-trip",
    "plan-00112233445566ff00112233445566fg",
    "a-plan-00112233445566ff00112233445566ff",
  ])
    expect(await lack(id), id).toEqual({ cause: "loop-missing", what: `${id} 1.0.0` });
});

test("another build is another release, which everybody can tell by its name", async () => {
  const { releaseOf } = await park();
  const names = [releaseOf(pay("1.0.0")).name, releaseOf(pay("1.0.0", "another build")).name];
  expect(names.every(isReleaseName)).toBe(true);
  expect(new Set(names).size).toBe(2);
  expect(["", "Release_1", "0123456789abcdeg", "0123456789abcdef0"].some(isReleaseName)).toBe(
    false,
  );
});

test("what a release lacks is named: version, digest, refinement, semantics", async () => {
  const { stores, read, releaseOf } = await park();
  const projection = await read();
  const lackOf = (release: Release) => findReleaseLack(release, projection, stores);
  const missing = { cause: "loop-missing", what: "pay 1.0.0" };
  expect(await lackOf(releaseOf())).toEqual(missing);
  expect(await lackOf(releaseOf(pay("2.0.0")))).toEqual(missing);
  const whole = releaseOf(pay("1.0.0"));
  const [loop] = whole.loops;
  if (loop === undefined) throw new Error("the loop is there");
  const changed = { cause: "loop-changed", what: "pay 1.0.0" };
  expect(await lackOf({ ...whole, loops: [{ ...loop, digest: "sha256:0" }] })).toEqual(changed);
  const { spec } = projection;
  if (spec === null) throw new Error("the run has started");
  const pinned = Object.entries(spec.pinned).map(([name, pin]) => [
    name,
    { ...pin, refined: ["input" as const] },
  ]);
  const refined = { ...projection, spec: { ...spec, pinned: Object.fromEntries(pinned) } };
  expect(await findReleaseLack(whole, refined, stores)).toEqual(changed);
  const later = { ...whole, semantics: whole.semantics + 1 };
  expect(await lackOf(later)).toEqual({
    ...{ cause: "unspoken", what: `semantics ${whole.semantics}` },
  });
});

test("a run that another release has is left to it, and nothing is recorded", async () => {
  const { stores, run, read } = await park();
  const other = bindHost({ loops: [pay("2.0.0")], stores, signer });
  await stores.inbox.put({ run, key: "look", kind: "signal", body: { name: "x", payload: null } });
  const { asked } = (await read()).openTurn ?? { asked: [] };
  expect(asked).toHaveLength(1);
  const decide = { choice: "approve", request: asked[0]?.id ?? "", by: { id: "bob", roles: [] } };
  await createLocalHost({ loops: [pay("1.0.0")], stores, signer }).decide(run, decide.request, {
    ...{ choice: "approve", by: decide.by },
  });
  const seen: string[] = [];
  const { dues, projection } = await advance(run, other, {
    findElsewhere: async ({ run: id }) => {
      seen.push(id);
      return "there";
    },
  });
  const head = await stores.log.readHead(run);
  expect(seen).toEqual([run]);
  expect(dues).toEqual({
    ...{ kind: "blocked", why: "loop-missing", what: "pay 1.0.0" },
    elsewhere: { release: "there", epoch: head?.epoch },
  });
  expect(projection?.blocked).toBeNull();
  // Where none has it, its log says so.
  const left = await advance(run, other, { findElsewhere: async () => undefined });
  expect(left.dues).toMatchObject({ kind: "blocked", why: "loop-missing" });
  expect((await read()).blocked).toMatchObject({ cause: "loop-missing", what: "pay 1.0.0" });
});
