/**
 * A statement with the role, the tenant and the settings that it is executed under.
 *
 * 1. Both go to the server as one message up to one Sync, so as one implicit transaction and one
 *    round trip. The settings are local to it: before and after, the session has no tenant.
 * 2. An error in the settings skips the statement.
 * 3. A statement that ran without its settings is an error here, even with a good answer.
 *
 * The driver has no way to send two statements as one message. So its query sends ours before its
 * own, and ignores the answer to it. It uses only what the driver documents for custom queries, and
 * a test covers the version in use.
 */
import { InvariantError } from "@turnseal/protocol";
import pg from "pg";
import type { Row } from "./columns.ts";

/** A statement, or its settings, for the server; without a name it keeps no plan. */
export interface Told {
  readonly name: string | undefined;
  readonly text: string;
  readonly values: readonly unknown[];
}

/** The used part of the driver's connection, which its types leave out. */
interface Connection {
  /** The texts that the server has under a name, on this connection. */
  readonly parsedStatements: Record<string, string | undefined>;
  parse(statement: { name: string; text: string; types: readonly number[] }): void;
  bind(portal: { statement: string; values: readonly unknown[] }): void;
  execute(portal: { portal: string }): void;
}

/** The used part of the driver's query, which its types leave out. */
interface DriverQuery extends pg.Submittable {
  prepare(connection: Connection): void;
  handleDataRow(message: unknown): void;
  handleCommandComplete(message: unknown, connection: Connection): void;
}

/** Asks a statement under settings, on a connection of the pool. */
export async function askEntered(
  pool: pg.Pool,
  settings: Told,
  { name, text, values }: Told,
): Promise<readonly Row[]> {
  const named = name === undefined ? {} : { name };
  const config = { ...named, text, values: [...values], queryMode: "extended" };
  // The methods are there; the types have only those of a query that is handed to the driver.
  const query = new pg.Query<Row>(config) as unknown as DriverQuery;
  const { prepare, handleDataRow, handleCommandComplete } = query;
  const state: { step: "unsent" | "entering" | "entered" } = { step: "unsent" };
  query.prepare = (connection) => {
    state.step = "entering";
    sendSettings(connection, settings);
    prepare.call(query, connection);
  };
  query.handleDataRow = (message) => {
    if (state.step === "entered") handleDataRow.call(query, message);
  };
  query.handleCommandComplete = (message, connection) => {
    if (state.step === "entered") handleCommandComplete.call(query, message, connection);
    if (state.step === "entering") state.step = "entered";
  };
  // The pool always returns a promise; its types say the query itself.
  const asked = pool.query(query) as unknown as Promise<pg.QueryResult<Row>>;
  const { rows, command } = await asked;
  if (state.step !== "entered" || command === null)
    throw new InvariantError("the driver asked a statement without its role and tenant");
  return rows;
}

function sendSettings(connection: Connection, { name = "", text, values }: Told): void {
  if (name === "" || connection.parsedStatements[name] === undefined)
    connection.parse({ name, text, types: [] });
  // Told before the answer: a connection with an error is never used again.
  if (name !== "") connection.parsedStatements[name] = text;
  connection.bind({ statement: name, values });
  connection.execute({ portal: "" });
}
