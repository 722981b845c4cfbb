import type { KeyBook, KeyDecision, NotedKey } from "@turnseal/adapters/postgres";
import { isInstant } from "@turnseal/protocol";
import { ISSUERS } from "@turnseal/protocol/receipts";
import { line, type Terminal, toned, writeJson } from "@turnseal/terminal";
import { renderNotedKey } from "@turnseal/terminal/operate";
import { EXIT_CODES, type ExitCode } from "../exit-codes.ts";
import { readPerson } from "../terminal/read-person.ts";
import { RefusalError } from "../terminal/refusal.ts";
import { type LoadedPeers, withBook } from "../with-book.ts";

export interface KeyBookCommandOptions {
  readonly postgres?: string;
  /** Whose key it is; without it, one for all. */
  readonly tenant?: string;
  readonly issuer?: string;
  readonly validFrom?: string;
  readonly validUntil?: string;
  readonly json?: boolean;
}

/** Keys that workers have noted in a database: all of them, or one to decide on. */
export async function runKeyBook(
  action: "list" | "trust" | "distrust",
  keyId: string | undefined,
  { options, terminal }: { readonly options: KeyBookCommandOptions; readonly terminal: Terminal },
): Promise<ExitCode> {
  const { postgres } = options;
  const openKeys = (peers: LoadedPeers, url: string) => peers.openKeyBook({ url });
  const place = { command: `keys ${action}`, postgres };
  if (action === "list")
    return withBook(place, openKeys, (book) => listAll(book, options, terminal));
  if (keyId === undefined)
    throw new RefusalError(`name the key to ${action}`, "turnseal keys list");
  const decision = readDecision(action, options);
  if (typeof decision === "string")
    throw new RefusalError(decision, `turnseal keys ${action} ${keyId}`);
  return withBook(place, openKeys, async (book) => {
    const decided = await book.decide({ tenant: options.tenant ?? null, keyId }, decision);
    if (decided.kind === "decided") return showDecided(decided.key, options, terminal);
    const where = options.tenant === undefined ? "for all tenants" : `for ${options.tenant}`;
    if (decided.kind === "unknown")
      throw new RefusalError(
        `no key ${keyId} is noted ${where}`,
        "turnseal keys list",
        EXIT_CODES.failed,
      );
    const begin = `it is noted from ${decided.key.validFrom}`;
    throw new RefusalError("the key would end before it begins", begin, EXIT_CODES.failed);
  });
}

/** The decision on a key, or the problem of its options. */
function readDecision(
  action: "trust" | "distrust",
  { issuer: said, validFrom, validUntil }: KeyBookCommandOptions,
): KeyDecision | string {
  const by = readPerson();
  if (action === "distrust") return { state: "distrusted", by };
  const issuer = ISSUERS.find((each) => each === said);
  if (said !== undefined && issuer === undefined) return `--issuer is one of ${ISSUERS.join(", ")}`;
  for (const time of [validFrom, validUntil === "none" ? undefined : validUntil])
    if (time !== undefined && !isInstant(time))
      return "a time is an instant such as 2030-01-31T12:00:00.000Z";
  return {
    ...{ state: "trusted", by },
    ...(issuer === undefined ? {} : { issuer }),
    ...(validFrom === undefined ? {} : { validFrom }),
    ...(validUntil === undefined ? {} : { validUntil: validUntil === "none" ? null : validUntil }),
  };
}

function showDecided(key: NotedKey, { json }: KeyBookCommandOptions, { out }: Terminal): ExitCode {
  if (json) writeJson(out, key, 2);
  else out.writeLine(line(toned("good", "✓ "), ...renderNotedKey(key).spans));
  return EXIT_CODES.done;
}

/** Every key, or those that may sign for a tenant. */
async function listAll(
  book: KeyBook,
  { tenant, json }: KeyBookCommandOptions,
  { out }: Terminal,
): Promise<ExitCode> {
  const found: NotedKey[] = [];
  for (let page = await book.list(); page.length > 0; page = await book.list(page.at(-1))) {
    const shown = page.filter((key) => tenant === undefined || [tenant, null].includes(key.tenant));
    if (json) found.push(...shown);
    else shown.map(renderNotedKey).forEach(out.writeLine);
  }
  if (json) writeJson(out, { noted: found }, 2);
  return EXIT_CODES.done;
}
