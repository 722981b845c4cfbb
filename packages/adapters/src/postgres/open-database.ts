/**
 * The connections of one tenant to the database.
 *
 * 1. One statement at a time, prepared under its name and committed by itself: no transaction is
 *    open across an await.
 * 2. Every connection has the least role, and its tenant from its first moment on; the policies of
 *    the tables do the rest.
 * 3. A connection that breaks leaves it open whether the statement was done. Every statement here
 *    may be asked again: the rows decide what a second time means.
 */
import { setTimeout as wait } from "node:timers/promises";
import { isTenant, TENANT_WORDS } from "@turnseal/protocol";
import pg from "pg";
import type { Row } from "./columns.ts";
import { isConnectionLost, toStoreError } from "./to-store-error.ts";

/** One statement, which has a file of its own. */
export interface Statement {
  readonly name: string;
  readonly text: string;
  /** What it may touch: rows of one run, which are in one partition, or of all runs of a tenant. */
  readonly reach: "run" | "tenant";
}

export interface Database {
  readonly tenant: string;
  query(statement: Statement, values: readonly unknown[]): Promise<readonly Row[]>;
  close(): Promise<void>;
}

export interface DatabaseOptions {
  /** `postgres://user@host:port/database`. */
  readonly url: string;
  /** Who owns the rows: nothing of another tenant is seen or changed. */
  readonly tenant: string;
  /** The most connections that are open at once. */
  readonly connectionsMax?: number;
}

export const CONNECTIONS_MAX_DEFAULT = 10;
/** How often one statement is asked on connections that break. */
export const ATTEMPTS_MAX = 4;
const BETWEEN_MS = 50;
/** How long the server works at one statement, and how long its answer is waited for. */
const STATEMENT_MS_MAX = 30_000;
const ANSWER_MS_MAX = 35_000;
/** How long a server that takes a connection may be silent on it. */
export const CONNECT_MS_MAX = 10_000;
/** The most locks that a plan for all values takes while it is made: every partition and index. */
export const PLAN_LOCKS_MAX = 320;

/** Connections under a role. It does not connect yet. */
export function openDatabase(options: DatabaseOptions, role: string): Database {
  const { url, tenant, connectionsMax = CONNECTIONS_MAX_DEFAULT } = options;
  checkTenant(tenant);
  // The driver lets what the address says win, and then no tenant would be set.
  if (new URL(url).searchParams.has("options"))
    throw new RangeError("the address of the database has options of its own");
  const pool = new pg.Pool({
    connectionString: url,
    max: connectionsMax,
    application_name: "turnseal",
    options: renderSettings(settingsOf(tenant, role)),
    keepAlive: true,
    connectionTimeoutMillis: CONNECT_MS_MAX,
    query_timeout: ANSWER_MS_MAX,
    // It is waited for, which its type does not say.
    onConnect: keepPlans as (client: pg.ClientBase) => void,
  });
  // A connection that breaks while nobody uses it is replaced, and is no news.
  pool.on("error", () => {});
  return {
    tenant,
    query: async ({ name, text }, values) => {
      const ask = () => pool.query<Row>({ name, text, values: [...values] });
      return (await askAgain(ask)).rows;
    },
    close: async () => {
      if (!pool.ended && !pool.ending) await pool.end();
    },
  };
}

/** Names of tenants hold nothing that could end a setting. */
function checkTenant(tenant: string): void {
  if (!isTenant(tenant)) throw new RangeError(`a tenant is a name of ${TENANT_WORDS}`);
}

/** What holds for every connection from its first moment on. */
export function settingsOf(tenant: string, role: string): Readonly<Record<string, string>> {
  return {
    role,
    "turnseal.tenant": tenant,
    plan_cache_mode: "force_custom_plan",
    // They read every row before they answer with the first page; an index is in order already.
    enable_hashagg: "off",
    enable_sort: "off",
    statement_timeout: String(STATEMENT_MS_MAX),
  };
}

function renderSettings(settings: Readonly<Record<string, string>>): string {
  return Object.entries(settings)
    .map(([name, value]) => `-c ${name}=${value.replaceAll(/[\\\s]/g, "\\$&")}`)
    .join(" ");
}

/**
 * A statement that is planned once for all values costs the server half as much as one that is
 * planned each time, but locks every partition of what it reads. Plans are kept only where the
 * server has room for that with every connection at work: where it has not, it would run out of it
 * under load.
 */
async function keepPlans(client: pg.ClientBase): Promise<void> {
  await client.query(`
    select set_config('plan_cache_mode', 'force_generic_plan', false)
     where current_setting('max_locks_per_transaction')::int >= ${PLAN_LOCKS_MAX}`);
}

async function askAgain<Value>(ask: () => Promise<Value>): Promise<Value> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await ask();
    } catch (error) {
      if (attempt >= ATTEMPTS_MAX || !isConnectionLost(error)) throw toStoreError(error);
    }
    await wait(BETWEEN_MS * 2 ** attempt * (0.5 + Math.random() / 2));
  }
}
