/** Translates what the server, the driver and the network throw into our errors. */
import { StoreError, type StoreErrorCode } from "@turnseal/ports";
import { InvariantError } from "@turnseal/protocol";

const lostConnections: ReadonlySet<string> = new Set([
  ...["ECONNREFUSED", "ECONNRESET", "ECONNABORTED", "EPIPE", "ETIMEDOUT", "EHOSTUNREACH"],
  ...["ENETUNREACH", "ENOTFOUND", "EAI_AGAIN", "ENOENT"],
  // Shut down by an administrator, crashed, starting or stopping, terminated while idle.
  ...["57P01", "57P02", "57P03", "57P05"],
]);

/** The driver's messages without a code when a connection breaks. */
const lostWords =
  /^(Connection terminated|Query read timeout|timeout ex(ceeded|pired)|Client has encountered)/;

/**
 * True when the connection broke: the request may have been done, and repeating it on another
 * connection finds out.
 */
export function isConnectionLost(error: unknown): boolean {
  const code = codeOf(error);
  if (code === undefined) return error instanceof Error && lostWords.test(error.message);
  return lostConnections.has(code) || code.startsWith("08");
}

/** A prepared statement is not there, or is there already. Nothing was executed. */
export function isStatementMissed(error: unknown): boolean {
  return ["26000", "42P05"].includes(codeOf(error) ?? "");
}

/**
 * A key is taken. Where two may store the same thing at once, a second try finds the other's row;
 * everywhere else it is a bug.
 */
export class ClashError extends InvariantError {
  readonly table: string;

  constructor(table: string) {
    super(`Postgres refused a second row of the same key in ${table}`);
    this.table = table;
  }
}

/** True where the login lacks a role, or a right of it. */
export function isNotGranted(error: unknown): boolean {
  return error instanceof StoreError && codeOf(error.cause) === "42501";
}

/** Our own errors, and unknown ones, stay as they are. */
export function toStoreError(error: unknown): unknown {
  if (isConnectionLost(error))
    return new StoreError("STORE_UNREACHABLE", "the database cannot be reached", error);
  if (error instanceof Error && /^Cannot use a pool after/.test(error.message))
    return new InvariantError("the store is closed");
  const code = codeOf(error);
  if (code === undefined || !/^[0-9A-Z]{5}$/.test(code)) return error;
  const known = describe(code);
  if (known !== undefined) return new StoreError(...known, error);
  if (code === "23505") return new ClashError(tableOf(error));
  // A broken constraint, or a statement that does not fit the schema. Its words may hold values.
  return new InvariantError(`Postgres refused a statement: ${code}`);
}

/** The table of an error, for any of its partitions. */
function tableOf(error: unknown): string {
  const { table } = error as { readonly table?: unknown };
  return typeof table === "string" ? table.replace(/_(p\d\d|t\d+)$/, "") : "a table";
}

function describe(code: string): [StoreErrorCode, string] | undefined {
  switch (code) {
    case "53100":
      return ["STORE_FULL", "the store has no room left"];
    case "XX001":
    case "XX002":
      return ["STORE_CORRUPT", "the database is damaged"];
    case "3F000":
    case "42P01":
    case "42703":
      return ["STORE_FORMAT_UNKNOWN", "the database has no tables of ours, or others"];
    case "40001":
    case "40P01":
    case "55P03":
    case "57014":
      return ["STORE_UNREACHABLE", "the database was held by others for too long"];
    case "25006":
      // Also what a standby answers that was a primary a moment ago.
      return ["STORE_UNREACHABLE", "the database takes no writes"];
    case "22023":
    case "3D000":
    case "42501":
    case "42704":
      return ["STORE_UNREACHABLE", "the database or a role is missing, or not granted"];
    default:
      return /^(28|53)/.test(code)
        ? ["STORE_UNREACHABLE", "the database did not let this program in"]
        : undefined;
  }
}

function codeOf(error: unknown): string | undefined {
  if (!(error instanceof Error) || !("code" in error)) return undefined;
  return typeof error.code === "string" ? error.code : undefined;
}
