import type { KeyBook, KeyDecision, NotedKey } from "@turnseal/adapters/postgres";
import { isInstant } from "@turnseal/protocol";
import { ISSUERS } from "@turnseal/protocol/receipts";
import { loadPeers } from "@turnseal/runtime/engine";
import { EXIT_CODES, type ExitCode } from "../exit-codes.ts";
import { line, toned } from "../terminal/line.ts";
import { readPerson } from "../terminal/read-person.ts";
import { reportUsage } from "../terminal/report-usage.ts";
import { renderJson } from "../terminal/sanitize-text.ts";
import type { Terminal } from "../terminal/screen.ts";
import { renderNotedKey } from "./render-keys.ts";

export interface KeyBookCommandOptions {
  readonly postgres?: string;
  /** Whose key it is; without it, one for all. */
  readonly tenant?: string;
  readonly issuer?: string;
  readonly validFrom?: string;
  readonly validUntil?: string;
  readonly json?: boolean;
}

/** Keys that workers have noted in a database: all of them, or one that is decided about. */
export async function runKeyBook(
  action: "list" | "trust" | "distrust",
  keyId: string | undefined,
  { options, terminal }: { readonly options: KeyBookCommandOptions; readonly terminal: Terminal },
): Promise<ExitCode> {
  const { postgres } = options;
  const usage = (message: string, next: string) => reportUsage(terminal, message, next);
  if (postgres === undefined)
    return usage(
      "no database is given",
      `turnseal keys ${action} --postgres postgres://user@host/database, or TURNSEAL_POSTGRES_URL`,
    );
  const peers = await loadPeers();
  if (peers.kind === "missing") return usage(peers.message, peers.next);
  if (action === "list")
    return withBook(await peers.openKeyBook({ url: postgres }), (book) =>
      listAll(book, options, terminal),
    );
  if (keyId === undefined) return usage(`name the key to ${action}`, "turnseal keys list");
  const decision = readDecision(action, options);
  if (typeof decision === "string") return usage(decision, `turnseal keys ${action} ${keyId}`);
  return withBook(await peers.openKeyBook({ url: postgres }), async (book) => {
    const decided = await book.decide({ tenant: options.tenant ?? null, keyId }, decision);
    if (decided.kind === "decided") return showDecided(decided.key, options, terminal);
    const where = options.tenant === undefined ? "for all tenants" : `for ${options.tenant}`;
    if (decided.kind === "unknown")
      usage(`no key ${keyId} is noted ${where}`, "turnseal keys list");
    else usage("the key would end before it begins", `it is noted from ${decided.key.validFrom}`);
    return EXIT_CODES.failed;
  });
}

async function withBook(
  book: KeyBook,
  body: (book: KeyBook) => Promise<ExitCode>,
): Promise<ExitCode> {
  try {
    return await body(book);
  } finally {
    await book.close();
  }
}

/** What somebody decides, or what is wrong with how it was said. */
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
  if (json) out.writeText(`${renderJson(key, 2)}\n`);
  else out.writeLine(line(toned("good", "✓ "), ...renderNotedKey(key).spans));
  return EXIT_CODES.done;
}

/** Every key, or those that are good for a tenant. */
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
  if (json) out.writeText(`${renderJson({ noted: found }, 2)}\n`);
  return EXIT_CODES.done;
}
