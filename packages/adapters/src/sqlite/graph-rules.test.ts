// SQL that breaks a rule of a graph, said to the file itself: its triggers refuse it.
import { DatabaseSync } from "node:sqlite";
import { sampleAppend } from "@turnseal/ports/contracts";
import { afterEach, expect, test } from "vitest";
import { listBroken, listTransitions, RULED_GRAPH } from "../graph-rules.test.data.ts";
import { cleanUp, onCleanUp, openScratch, scratchFile } from "./scratch-file.test.data.ts";
import { SAMPLE_RUN } from "./start-worker.test.data.ts";

afterEach(cleanUp);

const dialect = {
  ...{ node: "graph_node", edge: "graph_edge", columns: "run_number", values: "1" },
  of: "run_number = 1",
};

async function openRuled(): Promise<DatabaseSync> {
  const file = scratchFile();
  const { log } = openScratch({ file });
  const { epoch } = await log.takeEpoch(SAMPLE_RUN);
  await log.append(sampleAppend({ epoch }, { graph: { from: 0, changes: RULED_GRAPH } }));
  const db = new DatabaseSync(file);
  onCleanUp(() => db.close());
  return db;
}

test("what breaks a rule is refused by its rule, and changes nothing", async () => {
  const db = await openRuled();
  const read = () =>
    JSON.stringify([
      db.prepare("select * from graph_node").all(),
      db.prepare("select * from graph_edge").all(),
    ]);
  const before = read();
  for (const { what, rule, sql } of listBroken(dialect)) {
    expect(() => db.exec(sql), what).toThrow(new RegExp(`^${rule}$`));
    expect(read(), what).toBe(before);
  }
});

test("a graph goes as a whole, also what is finished in it", async () => {
  const db = await openRuled();
  db.exec("delete from graph");
  expect(db.prepare("select count(*) as rows from graph_node").get()).toEqual({ rows: 0 });
  expect(db.prepare("select count(*) as rows from graph_edge").get()).toEqual({ rows: 0 });
});

test("which status follows which is what the lifecycles say", async () => {
  const rows = (await openRuled()).prepare("select type, earlier, later from graph_transition");
  const known = rows.all().map(({ type, earlier, later }) => `${type} ${earlier} ${later}`);
  expect(known.toSorted()).toEqual(listTransitions());
});
