/**
 * Reads the plan of every statement, on 100,000 events of 10,000 runs: what belongs to one run
 * touches one partition, and nothing reads a whole table. So it is with a plan for the values at
 * hand, and with one for all values.
 */

import { readdirSync } from "node:fs";
import { SAMPLE_DEFAULTS, sampleEvent } from "@turnseal/ports";
import { sampleBlob, sampleMessage } from "@turnseal/ports/contracts";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { enterFor, PLAN_LOCKS_MAX, type Statement } from "./open-database.ts";
import {
  createScratch,
  type Scratch,
  type Session,
  TEST_ROLES,
} from "./scratch-database.test.data.ts";
import { renderRows } from "./statements/append-events.ts";
import { renderMore } from "./statements/append-turn.ts";

const RUNS = 10_000;
const EVENTS_PER_RUN = 10;
const tenant = "ada";
const run = "2f1d9a52-8f3a-4c0e-9b7d-0d5f0a1b2c3d";
const moment = "2026-01-31T12:00:00.000Z";
const digest = Buffer.alloc(32, 1);

let scratch: Scratch;
beforeAll(async () => {
  scratch = await createScratch();
  await fill(await scratch.connect());
}, 120_000);
afterAll(() => scratch.drop());

/** Runs of two tenants, each with ten of everything that a run has many of. */
async function fill(admin: Session): Promise<void> {
  const runs = `
    (select case when number % 2 = 0 then 'ada' else 'grace' end as tenant,
            case number when 0 then '${run}'::uuid else gen_random_uuid() end as run, number,
            case number % 10 when 9 then 0 else 1 end as period
       from generate_series(0, ${RUNS - 1}) as number)`;
  const each = `seed, generate_series(1, ${EVENTS_PER_RUN}) as place`;
  for (const sql of [
    `create temporary table seed as select * from ${runs} as runs`,
    `insert into turnseal.head
       select tenant, run, 1, ${EVENTS_PER_RUN}, 'h', false, period from seed`,
    `insert into turnseal.segment select tenant, run, place, place, '\\x00', period from ${each}`,
    `insert into turnseal.blob
       select tenant, run, sha256(place::text::bytea), 'bytes', period from ${each}`,
    `insert into turnseal.inbox (tenant, run, key, kind, fingerprint, body)
       select tenant, run, place::text, 'signal', 'x',
              case when place = 1 then '{}'::json end from ${each}`,
    "insert into turnseal.run_key select tenant, run, 'key' from seed",
    `insert into turnseal.receipt
       select tenant, run, place, 'id', '{}', period from ${each}`,
    `insert into turnseal.run
       select tenant, run, 1, '{}', '${moment}'::timestamptz + number * interval '1 second',
              case when number % 5 = 0 then '${moment}'::timestamptz + number * interval '1 second'
              end from seed`,
    `insert into turnseal.waiting
       select tenant, run, place, 'id', 'approval', 'name', 'role' || place, '${moment}', null
         from ${each}`,
    `insert into turnseal.cached_call
       select tenant, sha256((number || ':' || place)::bytea), run, 1, 'call', 'digest', place
         from ${each}`,
    `insert into turnseal.cache_key
       select case number when 0 then '${tenant}' else 'tenant' || number end, 'key' from seed`,
    `insert into turnseal.tenant (name, changed_by)
       select 'tenant' || number, 'test' from seed`,
    `insert into turnseal.archive_place
       select name, 'place' || number
         from unnest(array['${tenant}', 'grace']) as name, generate_series(1, 1000) as number`,
    "insert into turnseal.archived select tenant, run, 1, 'h', 'place1', true from seed",
    "analyze turnseal.archived, turnseal.archive_place",
    `insert into turnseal.tenant_spent
       select 'tenant' || number, stripe, '2026-01-31', 1, 1
         from seed, generate_series(0, 15) as stripe`,
    "insert into turnseal.tenant_pace select 'tenant' || number, now() from seed",
    "analyze turnseal.tenant, turnseal.tenant_spent, turnseal.tenant_pace",
    // Names of keys are checked against their digests, which this test does not need.
    "alter table turnseal.signing_key drop constraint own_name",
    "alter table turnseal.signing_key disable trigger all",
    `insert into turnseal.signing_key (tenant, key_id, x, issuer, valid_from)
       select case number % 3 when 0 then '' when 1 then '${tenant}' else 'tenant' || number end,
              'key' || number, 'x', 'hosted', now() from seed`,
    "analyze turnseal.signing_key",
    "insert into turnseal.value select tenant, 'k' || number, 1, '{}' from seed",
    "insert into turnseal.value_entry select tenant, 'log', number, '{}' from seed",
    "insert into turnseal.value_log values ('ada', 'log', 10000), ('grace', 'log', 10000)",
    "analyze turnseal.value, turnseal.value_log, turnseal.value_entry",
    "insert into turnseal.graph select tenant, run, 10 from seed",
    `insert into turnseal.graph_node
       select tenant, run, md5(number || ':' || place)::uuid, 'role', '', 1, null, null, '{}'
         from ${each}`,
    "alter table turnseal.graph_edge disable trigger graph_rules",
    `insert into turnseal.graph_edge
       select tenant, run, md5(number || ':' || place)::uuid, 'CONTAINS',
              md5(number || ':' || place)::uuid from ${each}`,
    "analyze turnseal.graph, turnseal.graph_node, turnseal.graph_edge",
    "analyze turnseal.cached_call, turnseal.cache_key",
    "analyze turnseal.head, turnseal.segment, turnseal.inbox, turnseal.blob, turnseal.run_key",
    "analyze turnseal.receipt, turnseal.run, turnseal.waiting",
  ])
    await admin.query(sql);
}

const snapshot = {
  run,
  sequence: 11,
  state: {},
  dueAt: moment,
  waiting: [
    {
      ...{ sequence: 11, id: "id", kind: "approval", name: "name" },
      ...{ role: null, askedAt: moment, decideBy: null },
    },
  ],
};
const place = { run, sequence: 11, at: moment, hash: "i" };
const event = sampleEvent("log", SAMPLE_DEFAULTS.log, place);
const append = {
  ...{ run, epoch: 1, after: { sequence: EVENTS_PER_RUN, hash: "h" }, events: [event], snapshot },
  ...{ blobs: [sampleBlob("new")], consumed: [sampleMessage("1").key] },
};
const appendValues = [tenant, ...renderRows(append, event)];

/** Values for every statement, by its name. */
const samples: Readonly<Record<string, readonly unknown[]>> = {
  "acknowledge-receipt": [tenant, "observer", run, 1],
  "append-entry": [tenant, "log", "{}"],
  "append-events": appendValues,
  "append-graph": [...appendValues, ...renderMore(append), 7, 12, 3, 10, "[]"],
  "append-spent": [...appendValues, ...renderMore(append), 7, 12, 3],
  "append-turn": [...appendValues, ...renderMore(append)],
  "change-values": [tenant, null, JSON.stringify([{ key: "k1", body: "1", version: 0 }])],
  "drop-graph": [tenant, run],
  "drop-snapshot": [tenant, run],
  "erase-content": [tenant, run],
  "erase-left-blobs": [tenant, run],
  "explain-append": [tenant, run, 11],
  "list-tenants": [""],
  "has-content": [tenant, run],
  "find-call": [tenant, digest, 5],
  "has-message": [tenant, run, "cancel"],
  "keep-cache-key": [tenant, digest],
  "keep-key": [tenant, run, digest],
  "list-archive-places": [tenant, ""],
  "list-archived": [tenant, [run]],
  "list-due-runs": [tenant, "2027-01-01T00:00:00.000Z", "-infinity", run],
  "list-ended-runs": [tenant, "2027-01-01T00:00:00.000Z", 100],
  "list-graph-edges": [tenant, run, run, "CONTAINS", run],
  "list-graph-nodes": [tenant, run, run],
  "list-newest-runs": [tenant, run],
  "list-receipts": [tenant, run, 1, 10],
  "list-keys": [tenant],
  "list-outbox": [tenant, "observer", run, 1],
  "list-pauses": [],
  "list-releases": [],
  "list-runs": [tenant, run],
  "list-told-runs": [tenant, "2127-01-01T00:00:00.000Z", "00000000-0000-0000-0000-000000000000"],
  "list-unfinished-runs": [tenant, "00000000-0000-0000-0000-000000000000"],
  "list-values": [tenant, "k1", "k10", 100],
  "list-waiting": [tenant, "-infinity", run, 1],
  "list-waiting-for-role": [tenant, "role1", "-infinity", run, 1],
  "mark-erased": [tenant, run],
  "note-key": ["", "k", "x", "hosted", moment, null],
  "note-seen": ["key", "k", "{}"],
  "peek-inbox": [tenant, run, "cancel"],
  "put-blob": [tenant, run, digest, digest],
  "put-call": [tenant, run, digest, 1, "call", digest, 5, 2],
  "put-message": [tenant, run, "new", "signal", digest, "{}", 2],
  "read-blob": [tenant, run, digest, 0],
  "read-entries": [tenant, "log", 5, 10],
  "read-events": [tenant, run, 5, 15],
  "read-graph-sequence": [tenant, run],
  "read-head": [tenant, run],
  "read-key": [tenant, run],
  "read-migrations": [],
  "read-snapshot": [tenant, run],
  "read-spent": [tenant],
  "read-standby": [],
  "read-tenant": [tenant],
  "read-value": [tenant, "k1"],
  "read-values": [tenant, "k1"],
  "rewrite-graph": [tenant, run, 10, "[]"],
  "take-epoch": [tenant, run],
  "take-run": [tenant, run, digest],
  "take-starts": [tenant, 3, 5],
};

const folder = new URL("./statements/", import.meta.url);
const files = readdirSync(folder).filter((file) => file.endsWith(".ts"));

test("every statement has a file, a name of its own and values to try it with", async () => {
  const statements = await Promise.all(files.map(loadStatement));
  const names = statements.map(({ name }) => name);
  expect(names).toEqual(files.map((file) => file.replace(/\.ts$/, "")));
  expect(Object.keys(samples).toSorted()).toEqual(names.toSorted());
  // A clause that hides a lost race: in a batch it would break the chain.
  for (const { text } of statements) expect(text).not.toMatch(/do\s+nothing/i);
});

describe.each(["force_custom_plan", "force_generic_plan"])("with %s", (mode) => {
  let session: Session;
  beforeAll(async () => {
    session = await scratch.connect();
  });

  test.each(files)("%s touches what it may, and no whole table", async (file) => {
    const statement = await loadStatement(file);
    await enter(session, statement, mode);
    const plan = await explain(session, await prepare(session, statement));
    await session.query("rollback");
    const partitions = new Set(
      plan.flatMap(({ relation }) => /_p(\d\d)$/.exec(relation)?.[1] ?? []),
    );
    if (statement.reach === "run") expect([...partitions].length).toBeLessThanOrEqual(1);
    expect(plan.filter(({ node }) => node === "Seq Scan")).toEqual([]);
    // From this cost on a server compiles a plan, which takes longer than any statement of a run.
    if (statement.reach === "run")
      expect(Math.max(...plan.map(({ cost }) => cost))).toBeLessThan(100_000);
    // A list that sorts would read every row of its tenant for the first page.
    if (statement.name.startsWith("list-") && statement.reach === "tenant")
      expect(plan.filter(({ node }) => /Sort$/.test(node))).toEqual([]);
  });
});

test("a plan for all values takes at most PLAN_LOCKS_MAX locks, while it is made", async () => {
  const session = await scratch.connect();
  const counts: number[] = [];
  for (const file of files) {
    const statement = await loadStatement(file);
    await enter(session, statement, "force_generic_plan");
    await session.query(await prepare(session, statement));
    const [row] = await session.query(
      "select count(*)::int as locks from pg_locks where pid = pg_backend_pid()",
    );
    await session.query("rollback");
    counts.push(Number(row?.["locks"]));
  }
  expect(Math.max(...counts)).toBeLessThanOrEqual(PLAN_LOCKS_MAX);
  expect(Math.max(...counts)).toBeGreaterThan(PLAN_LOCKS_MAX / 2);
});

test("statements on the way of a turn are of one run", async () => {
  const statements = await Promise.all(files.map(loadStatement));
  const acrossRuns = statements.filter(({ reach }) => reach === "tenant").map(({ name }) => name);
  expect(acrossRuns).toEqual([
    "acknowledge-receipt",
    "append-entry",
    "change-values",
    "erase-left-blobs",
    "keep-cache-key",
    "list-archive-places",
    "list-archived",
    "list-due-runs",
    "list-ended-runs",
    "list-keys",
    "list-newest-runs",
    "list-outbox",
    "list-pauses",
    "list-releases",
    "list-runs",
    "list-tenants",
    "list-told-runs",
    "list-unfinished-runs",
    "list-values",
    "list-waiting-for-role",
    "list-waiting",
    "note-key",
    "note-seen",
    "read-entries",
    "read-migrations",
    "read-spent",
    "read-standby",
    "read-tenant",
    "read-value",
    "read-values",
    "take-starts",
  ]);
});

async function loadStatement(file: string): Promise<Statement> {
  const module = (await import(new URL(file, folder).href)) as Record<string, unknown>;
  const found = Object.values(module).find(isStatement);
  if (found === undefined) throw new Error(`${file} holds no statement`);
  return found;
}

function isStatement(value: unknown): value is Statement {
  return typeof value === "object" && value !== null && "text" in value && "reach" in value;
}

/** Begins what a statement is executed under, but with one of the two ways to plan. */
async function enter(session: Session, statement: Statement, mode: string): Promise<void> {
  await session.query("begin");
  await session.query(enterFor(statement).text, [TEST_ROLES.worker, tenant]);
  await session.query(`set local plan_cache_mode = ${mode}`);
}

interface PlanNode {
  readonly node: string;
  readonly relation: string;
  readonly cost: number;
}

/** Prepares a statement, and answers with what executes it with its sample values. */
async function prepare(session: Session, { name, text }: Statement): Promise<string> {
  const values = samples[name] ?? [];
  await session.query(`prepare "${name}" as ${text}`);
  const [row] = await session.query(
    "select parameter_types::text[] as types from pg_prepared_statements where name = $1",
    [name],
  );
  const types = row?.["types"] as readonly string[];
  if (types.length === 0) return `execute "${name}"`;
  return `execute "${name}" (${types.map((type, at) => `${render(values[at])}::${type}`).join()})`;
}

function render(value: unknown): string {
  if (value === null || value === undefined) return "null";
  if (Array.isArray(value)) return `array[${value.map(render).join()}]`;
  if (value instanceof Uint8Array) return `'\\x${Buffer.from(value).toString("hex")}'`;
  return `'${String(value).replaceAll("'", "''")}'`;
}

async function explain(session: Session, execute: string): Promise<PlanNode[]> {
  const [row] = await session.query(`explain (format json) ${execute}`);
  const nodes: PlanNode[] = [];
  const visit = (value: unknown): void => {
    if (Array.isArray(value)) value.forEach(visit);
    if (typeof value !== "object" || value === null || Array.isArray(value)) return;
    const fields = value as Record<string, unknown>;
    if (typeof fields["Node Type"] === "string") {
      const relation = String(fields["Relation Name"] ?? "");
      nodes.push({ node: fields["Node Type"], relation, cost: Number(fields["Total Cost"]) });
    }
    for (const field of Object.values(fields)) visit(field);
  };
  visit(row?.["QUERY PLAN"]);
  expect(nodes.length).toBeGreaterThan(0);
  return nodes;
}
