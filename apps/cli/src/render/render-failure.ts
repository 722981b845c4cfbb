import { formatErrorChain } from "@turnseal/protocol";
import { type Line, line, toned } from "./line.ts";

/** What to do about a failure, by its code; more about each is in docs/errors.md. */
const nextAfter: ReadonlyMap<string, string> = new Map([
  [
    "STORE_UNREACHABLE",
    "look at what --store or --postgres names; a new database needs createdb and turnseal migrate",
  ],
  ["STORE_FULL", "make room, then turnseal resume"],
  [
    "STORE_FORMAT_UNKNOWN",
    "turnseal migrate --postgres <url> for a database, --store <another folder> for a file",
  ],
  ["STORE_CORRUPT", "put a copy back, then turnseal verify"],
  ["STORE_NOT_REPLICATED", "attach a synchronous standby, or --without-standby"],
  ["KEYS_PERMISSIONS", "turnseal keys rotate, once nobody else can read them"],
  ["KEYS_UNREADABLE", "put it back, or turnseal keys rotate"],
  ["KEYS_BUSY", "the same again"],
  [
    "KEYS_SETTINGS",
    "set TURNSEAL_SIGN_ISSUER and one of TURNSEAL_SIGN_KEY_FILE and TURNSEAL_SIGN_SEED_BASE64, " +
      "or none of them",
  ],
  ["ENGINE_UNREACHABLE", "look at the engine of --host, then the same again: it arrives once"],
  ["ENGINE_REFUSED", "compare --host and --tenant with those of the worker"],
  ...["EACCES", "EPERM", "EROFS", "ENOSPC", "ENOTDIR"].map(
    (code) => [code, "look at who may write there, or --store <another folder>"] as const,
  ),
]);

/** What went wrong in the world, and what to do about it. */
export function renderFailure(error: unknown): Line[] {
  const code: unknown = Reflect.get(Object(error), "code");
  const next = typeof code === "string" ? nextAfter.get(code) : undefined;
  return [
    line(toned("bad", "error: "), formatErrorChain(error)),
    ...(next === undefined ? [] : [line("  ", toned("faint", "next: "), next)]),
  ];
}
