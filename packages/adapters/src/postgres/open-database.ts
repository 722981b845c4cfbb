/**
 * The connections of a process to the database, which all its tenants share.
 *
 * 1. One statement at a time, committed by itself: no transaction is open across an await.
 * 2. Every statement is sent together with the least role and its tenant, which end with it; the
 *    policies of the tables do the rest. Between two statements a connection is nobody's.
 * 3. After a broken connection it is unknown whether the statement was done. It is repeated: the
 *    rows decide what a second time means. Where they cannot, it is sent once.
 */
import { createHash } from "node:crypto";
import { setTimeout as wait } from "node:timers/promises";
import { isLoopError, isTenant, nameOfError, TENANT_WORDS } from "@turnseal/protocol";
import pg from "pg";
import type { Row } from "./columns.ts";
import { askEntered } from "./entered-query.ts";
import { isConnectionLost, isStatementMissed, toStoreError } from "./to-store-error.ts";

/** One statement, which has a file of its own. */
export interface Statement {
  readonly name: string;
  readonly text: string;
  /** The rows it may touch: those of one run, in one partition, or of all runs of a tenant. */
  readonly reach: "run" | "tenant";
  /**
   * For a statement with another meaning the second time: after a broken connection it is unknown
   * whether it was done.
   */
  readonly isAskedOnce?: boolean;
}

/** Statements of one tenant, under one role. */
export interface Database {
  /** Empty where it is about what belongs to no tenant; then no row of any is seen. */
  readonly tenant: string;
  query(statement: Statement, values: readonly unknown[]): Promise<readonly Row[]>;
}

export interface Connections {
  /** Statements of a tenant under a role. It opens nothing, so there is nothing to close. */
  enter(role: string, tenant?: string): Database;
  readUse(): PoolUse;
  close(): Promise<void>;
}

/** How many connections there are now, and how many statements wait for one. */
export interface PoolUse {
  readonly max: number;
  readonly open: number;
  readonly idle: number;
  readonly waiting: number;
}

/** A statement that was answered, or has failed for good. */
export interface Asked {
  readonly statement: string;
  /** With the wait for a connection, and with every attempt. */
  readonly seconds: number;
  /** Of what failed; absent where it was answered. */
  readonly code?: string;
}

export interface ConnectionsOptions {
  /** `postgres://user@host:port/database`. */
  readonly url: string;
  /** The most connections that are open at once. */
  readonly connectionsMax?: number;
  /** Called with every statement, for counts. */
  readonly onAsked?: (asked: Asked) => void;
}

export const CONNECTIONS_MAX_DEFAULT = 10;
/** The most attempts of one statement on connections that break. */
export const ATTEMPTS_MAX = 4;
const BETWEEN_MS = 50;
/** How long the server works at one statement, and how long its answer is waited for. */
const STATEMENT_MS_MAX = 30_000;
const ANSWER_MS_MAX = 35_000;
/** How long a server that takes a connection may be silent on it. */
export const CONNECT_MS_MAX = 10_000;
/** The most locks that a plan for all values takes while it is made: every partition and index. */
export const PLAN_LOCKS_MAX = 320;

/** A statement for the server. */
type Text = Pick<Statement, "name" | "text" | "isAskedOnce">;

/**
 * The settings for one statement alone.
 *
 * A plan for all values costs the server half as much as planning each time, but locks every
 * partition of the tables it reads. Plans are kept only where the server has room for the locks of
 * every connection. Otherwise it would run out of locks under load.
 */
const entering = `
    select set_config('role', $1, true),
           set_config('turnseal.tenant', $2, true),
           set_config('plan_cache_mode',
             case when current_setting('max_locks_per_transaction')::int >= ${PLAN_LOCKS_MAX}
                  then 'force_generic_plan' else 'force_custom_plan' end, true),
           set_config('statement_timeout', '${STATEMENT_MS_MAX}', true)`;
const enter: Text = { name: "enter", text: entering };

/** Hashes and sorts read every row before the first is answered; an index is in order already. */
const enterInOrder: Text = {
  name: "enter-in-order",
  text: `${entering},
           set_config('enable_hashagg', 'off', true),
           set_config('enable_sort', 'off', true)`,
};

/** Returns the settings of a statement: the values are the role and the tenant. */
export function enterFor({ text }: Text): Text {
  return /\border by\b/.test(text) ? enterInOrder : enter;
}

/** Connections to a database. It does not connect yet. */
export function openConnections(options: ConnectionsOptions): Connections {
  const { url, connectionsMax = CONNECTIONS_MAX_DEFAULT } = options;
  // With settings of its own a session would be somebody's between two statements.
  if (new URL(url).searchParams.has("options"))
    throw new RangeError("the address of the database has options of its own");
  const pool = new pg.Pool({
    connectionString: url,
    max: connectionsMax,
    application_name: "turnseal",
    keepAlive: true,
    connectionTimeoutMillis: CONNECT_MS_MAX,
    query_timeout: ANSWER_MS_MAX,
  });
  // A connection that breaks while nobody uses it is replaced, and is no news.
  pool.on("error", () => {});
  const ask = tellAsked(createAsk(pool), options.onAsked);
  return {
    enter: (role, named) => {
      const tenant = named === undefined ? "" : checkTenant(named);
      return { tenant, query: (statement, values) => ask([role, tenant], statement, values) };
    },
    readUse: () => ({
      ...{ max: connectionsMax, open: pool.totalCount },
      ...{ idle: pool.idleCount, waiting: pool.waitingCount },
    }),
    close: async () => {
      if (!pool.ended && !pool.ending) await pool.end();
    },
  };
}

type Ask = (
  settings: readonly string[],
  statement: Text,
  values: readonly unknown[],
) => Promise<readonly Row[]>;

/** The same, with a listener for the time of each. */
function tellAsked(ask: Ask, onAsked: ConnectionsOptions["onAsked"]): Ask {
  if (onAsked === undefined) return ask;
  return async (...asked) => {
    const [, { name: statement }] = asked;
    const sinceMs = performance.now();
    const tell = (failed: { readonly code?: string }): void =>
      onAsked({ statement, seconds: (performance.now() - sinceMs) / 1_000, ...failed });
    try {
      const rows = await ask(...asked);
      tell({});
      return rows;
    } catch (error) {
      tell({ code: isLoopError(error) ? error.code : nameOfError(error) });
      throw error;
    }
  };
}

/**
 * Statements are prepared under their names. If a server lacks a prepared statement of this
 * connection, or has it already, a pooler gives each transaction to another of its connections, and
 * names mean nothing. Such an answer comes before anything is executed.
 */
function createAsk(pool: pg.Pool): Ask {
  const pooled = { hasNames: true };
  const named = new Map<string, string>();
  const askOnce: Ask = async (settings, statement, values) => {
    const { hasNames } = pooled;
    const tell = (asked: Text, given: readonly unknown[]) => ({
      name: hasNames ? nameWithDigest(named, asked) : undefined,
      ...{ text: asked.text, values: given },
    });
    try {
      return await askEntered(pool, tell(enterFor(statement), settings), tell(statement, values));
    } catch (error) {
      if (!hasNames || !isStatementMissed(error)) throw error;
    }
    pooled.hasNames = false;
    return askOnce(settings, statement, values);
  };
  return (...asked) => {
    const [, { isAskedOnce = false }] = asked;
    return askAgain(() => askOnce(...asked), isAskedOnce ? 1 : ATTEMPTS_MAX);
  };
}

/** With its text in its name, a statement is the same for every version of this program. */
function nameWithDigest(named: Map<string, string>, { name, text }: Text): string {
  const known = named.get(text);
  if (known !== undefined) return known;
  const digest = createHash("sha256").update(text).digest("hex").slice(0, 8);
  named.set(text, `${name}-${digest}`);
  return `${name}-${digest}`;
}

/** Names of tenants are plain everywhere, and never empty, as the tenant of a session is. */
export function checkTenant(tenant: string): string {
  if (!isTenant(tenant)) throw new RangeError(`a tenant is a name of ${TENANT_WORDS}`);
  return tenant;
}

async function askAgain<Value>(ask: () => Promise<Value>, attemptsMax: number): Promise<Value> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await ask();
    } catch (error) {
      if (attempt >= attemptsMax || !isConnectionLost(error)) throw toStoreError(error);
    }
    await wait(BETWEEN_MS * 2 ** attempt * (0.5 + Math.random() / 2));
  }
}
