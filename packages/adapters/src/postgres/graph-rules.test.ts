// SQL that breaks a rule of a graph, said to the server itself: its triggers refuse it.
import { sampleAppend } from "@turnseal/ports/contracts";
import { afterAll, beforeAll, expect, test } from "vitest";
import { listBroken, listTransitions, RULED_GRAPH } from "../graph-rules.test.data.ts";
import { createScratch, type Scratch, type Session } from "./scratch-database.test.data.ts";

let scratch: Scratch;
beforeAll(async () => {
  scratch = await createScratch();
});
afterAll(() => scratch.drop());

const run = sampleAppend({ epoch: 1 }).run;

async function openRuled(tenant: string): Promise<Session> {
  const { log } = await scratch.open({ tenant });
  const { epoch } = await log.takeEpoch(run);
  await log.append(sampleAppend({ epoch }, { graph: { from: 0, changes: RULED_GRAPH } }));
  return scratch.connect();
}

async function readAll(session: Session): Promise<string> {
  const nodes = await session.query("select * from turnseal.graph_node order by tenant, id");
  const edges = await session.query(
    "select * from turnseal.graph_edge order by tenant, source, kind, target",
  );
  return JSON.stringify([nodes, edges]);
}

test("what breaks a rule is refused by its rule, and changes nothing", async () => {
  const session = await openRuled("ada");
  const before = await readAll(session);
  const dialect = {
    ...{ node: "turnseal.graph_node", edge: "turnseal.graph_edge", columns: "tenant, run" },
    ...{ values: `'ada', '${run}'`, of: `tenant = 'ada' and run = '${run}'` },
  };
  for (const { what, rule, sql } of listBroken(dialect)) {
    const error = await session.query(sql).catch((thrown: unknown) => thrown);
    expect([what, (error as { readonly constraint?: string }).constraint]).toEqual([what, rule]);
    expect(await readAll(session), what).toBe(before);
  }
});

test("a graph goes as a whole, and alone: with its run, and when the run is archived", async () => {
  const session = await openRuled("grace");
  await openRuled("kim");
  const count = async (tenant: string) =>
    (
      await session.query(
        `select (select count(*) from turnseal.graph_node where tenant = $1)
              + (select count(*) from turnseal.graph_edge where tenant = $1) as rows`,
        [tenant],
      )
    )[0]?.["rows"];
  expect(Number(await count("grace"))).toBeGreaterThan(20);
  await session.query("update turnseal.head set period = -1 where tenant = 'grace'");
  expect(await count("grace")).toBe("0");
  expect(Number(await count("kim"))).toBeGreaterThan(20);
  await session.query("delete from turnseal.head where tenant = 'kim'");
  expect(await count("kim")).toBe("0");
});

test("no worker sees or writes the graph of another tenant", async () => {
  const graphs = (await scratch.open({ tenant: "noor" })).graphs;
  await openRuled("olga");
  expect(await graphs.readSequence(run)).toBeUndefined();
  expect(await graphs.listNodes(run)).toEqual([]);
  expect(await graphs.listEdges(run)).toEqual([]);
  expect(await graphs.rewrite(run, { sequence: 1, changes: [] })).toBe("moved");
  await graphs.drop(run);
  const own = (await scratch.open({ tenant: "olga" })).graphs;
  expect(await own.readSequence(run)).toBe(1);
});

test("which status follows which is what the lifecycles say", async () => {
  const session = await scratch.connect();
  const rows = await session.query("select type, earlier, later from turnseal.graph_transition");
  const known = rows.map(({ type, earlier, later }) => `${type} ${earlier} ${later}`);
  expect(known.toSorted()).toEqual(listTransitions());
});
