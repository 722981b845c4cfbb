/** A run that manages files of a root, and somebody who says what counts where they differ. */
import type { Roots } from "@turnseal/ports";
import type { JsonObject, JsonValue } from "@turnseal/protocol";
import type { ReconcileWay } from "@turnseal/protocol/artifact";
import { defineTool, jsonSchema } from "@turnseal/protocol/authoring";
import { expect } from "vitest";
import { type AdoptionPlan, planAdoption } from "../../drift/adopt-files.ts";
import { openDriftFinder } from "../../drift/drift-finder.ts";
import {
  planReconciliation,
  type ReconcilePlan,
  type ReconcileRequest,
} from "../../drift/plan-reconciliation.ts";
import { settleFiles } from "../../hold/settle-files.ts";
import { tellAdoption, tellReconciliation } from "../../messages/tell-files.ts";
import { readRun } from "../../state/read-run.ts";
import { openKeyedRoot } from "./keyed-root.ts";
import { openToolDesk, type ToolDeskOptions } from "./tool-desk.ts";

export const bytesOf = (text: string): Uint8Array => new TextEncoder().encode(text);
export const BY = { id: "ada", roles: [] };

const write = defineTool({
  ...{ id: "write", version: "1.0.0", effect: "idempotent", artifacts: { root: "site" } },
  input: jsonSchema<JsonValue>(true),
  output: jsonSchema<JsonValue>(true),
  run: async (input, { artifacts }) => {
    const answers: string[] = [];
    for (const [path, text] of Object.entries(input as Record<string, string>))
      answers.push((await artifacts.write(path, bytesOf(text))).kind);
    return answers;
  },
});

export const FIRST = "1\n2\n3\n4\n5\n6\n";
export const SECOND = "1\n2\n3\n4\n5\nsechs\n";

/** A run that wrote `page` twice and `other` once, and waits for a signal. */
export async function openFileDesk(more: Partial<ToolDeskOptions> = {}) {
  const site = openKeyedRoot("site");
  const rounds = [
    [["local.write", { page: FIRST, other: "other\n" }]],
    [["local.write", { page: SECOND }]],
    [],
    [["local.write", { page: "by the next turn\n" }]],
  ] as const;
  const desk = await openToolDesk({
    ...{ tools: [write], rounds, roots: site.roots },
    bounds: { awaits: ["go"], turnsMax: 9 },
    ...more,
  });
  expect(await desk.drive()).toBe("wait");
  const { stores, run, clock } = desk;
  const ports = { stores, roots: site.roots };
  const state = async () => {
    const projection = await readRun(stores, run);
    if (projection === undefined) throw new Error("the run is there");
    return projection;
  };
  const plan = async (
    request: Partial<ReconcileRequest> & { readonly way: ReconcileWay },
  ): Promise<ReconcilePlan> =>
    planReconciliation(await state(), { root: "site", ...request }, ports);
  const tell = async (planned: ReconcilePlan) => {
    if (planned.kind !== "planned") throw new Error(`there is no plan: ${planned.kind}`);
    return tellReconciliation(run, { ...planned, by: BY }, { stores, put: stores.inbox.put });
  };
  const { ids } = { ids: { create: (name: string) => name.padEnd(36, "0") } };
  const settle = (roots: Roots = site.roots, through = stores) =>
    settleFiles(run, { stores: through, clock, ids, roots });
  const planOf = async (...paths: string[]): Promise<AdoptionPlan> =>
    planAdoption(await state(), { root: "site", paths }, ports);
  const tellOf = async (planned: AdoptionPlan) => {
    if (planned.kind !== "planned") throw new Error(`there is no plan: ${planned.kind}`);
    return tellAdoption(run, { ...planned, by: BY }, { stores, put: stores.inbox.put });
  };
  const drifts = async () => {
    const [found] = await openDriftFinder(run, ports).find((await state()).artifacts ?? {});
    return found?.kind === "looked" ? found.drifts.map(({ kind, path }) => `${kind} ${path}`) : [];
  };
  const last = async () => (await desk.events()).at(-1);
  return { ...desk, site, state, plan, tell, planOf, tellOf, settle, drifts, last, ports };
}

export type FileDesk = Awaited<ReturnType<typeof openFileDesk>>;

export const reconciled = async (
  desk: FileDesk,
  way: ReconcileWay,
  more: Partial<ReconcileRequest> = {},
) => {
  await desk.tell(await desk.plan({ way, ...more }));
  await desk.settle();
  return (await desk.last())?.content as JsonObject;
};

/** The next turn, and then everything verifies and replays. */
export const goOn = async (desk: FileDesk) => {
  await desk.host.signal(desk.run, { name: "go", payload: null, key: "go", by: "ada" });
  await desk.drive();
  const { findings, replayed } = (await desk.prove()) as Record<string, readonly unknown[]>;
  expect(findings).toEqual([]);
  expect(replayed?.every((each) => each === "identical")).toBe(true);
};
