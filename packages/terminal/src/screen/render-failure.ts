import { formatErrorChain } from "@turnseal/protocol";
import { type Line, line, renderNext, toned } from "./line.ts";

/** The remedy for a failure, by its code; more about each is in docs/errors.md. */
const nextAfter: ReadonlyMap<string, string> = new Map([
  [
    "STORE_UNREACHABLE",
    "check --store or --postgres; a new database needs createdb and turnseal migrate",
  ],
  ["STORE_FULL", "free some space, then turnseal resume"],
  [
    "STORE_FORMAT_UNKNOWN",
    "turnseal migrate --postgres <url> for a database, --store <another folder> for a file",
  ],
  ["STORE_CORRUPT", "restore a backup, then turnseal verify"],
  ["STORE_NOT_REPLICATED", "attach a synchronous standby, or --without-standby"],
  ["STORE_READ_ONLY", "use a login with the worker's role: docs/operate/postgres.md"],
  ["KEYS_PERMISSIONS", "tighten the permissions, then turnseal keys rotate"],
  ["KEYS_UNREADABLE", "restore it, or turnseal keys rotate"],
  ["KEYS_BUSY", "run the same command again"],
  [
    "KEYS_SETTINGS",
    "set TURNSEAL_SIGN_ISSUER and one of TURNSEAL_SIGN_KEY_FILE and TURNSEAL_SIGN_SEED_BASE64, " +
      "or none of them",
  ],
  [
    "ENGINE_UNREACHABLE",
    "check the engine at --host, then run the same command again: it is delivered once",
  ],
  ["ENGINE_REFUSED", "compare --host and --tenant with those of the worker"],
  ...["EACCES", "EPERM", "EROFS", "ENOSPC", "ENOTDIR"].map(
    (code) => [code, "check the permissions there, or use --store <another folder>"] as const,
  ),
]);

/** Renders a failure of the world, and its remedy. */
export function renderFailure(error: unknown): Line[] {
  const code: unknown = Reflect.get(Object(error), "code");
  const next = typeof code === "string" ? nextAfter.get(code) : undefined;
  return [
    line(toned("bad", "error: "), formatErrorChain(error)),
    ...(next === undefined ? [] : [renderNext(next)]),
  ];
}
