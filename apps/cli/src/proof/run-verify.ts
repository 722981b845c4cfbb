import { existsSync } from "node:fs";
import { stat } from "node:fs/promises";
import type { Readable } from "node:stream";
import { type ReadText, readStream, readText } from "@turnseal/documents";
import { collectRun } from "@turnseal/host";
import {
  addAllowed,
  BUNDLE_BYTES_MAX,
  isPack,
  readTrustedKeys,
  type Verdict,
  verifyDocument,
  verifyPack,
} from "@turnseal/operate/proof";
import { isUuid } from "@turnseal/protocol";
import { type VerifyOptions, verifyRun } from "@turnseal/protocol/receipts";
import { TENANT_DEFAULT } from "@turnseal/runtime";
import { findRun, type StoreFolder } from "@turnseal/runtime/folder";
import { isFileName } from "@turnseal/runtime/project";
import { openRuns } from "@turnseal/runtime/runs";
import { line, type Terminal, toned, writeJson } from "@turnseal/terminal";
import { renderVerdict } from "@turnseal/terminal/operate";
import { EXIT_CODES, type ExitCode } from "../exit-codes.ts";
import { accept, RefusalError } from "../terminal/refusal.ts";
import type { Surroundings } from "../terminal/surroundings.ts";
import type { StoreOptions } from "../with-run.ts";
import { verifyAll } from "./verify-all.ts";
import { verifyTenants } from "./verify-tenants.ts";

export interface VerifyCommandOptions extends StoreOptions {
  readonly production?: boolean;
  /** An open turn is expected: what is sealed counts. */
  readonly allowOpen?: boolean;
  readonly json?: boolean;
  readonly keys?: string;
  readonly after?: string;
  readonly allTenants?: boolean;
}

const NEXT_FILE = "turnseal verify <an export or a receipt>";

/** `turnseal verify`: a run of the store, a file, a pack, standard input, or every run there is. */
export async function runVerify(
  name: string | undefined,
  options: VerifyCommandOptions,
  { terminal, stdin }: Surroundings,
): Promise<ExitCode> {
  const { after } = options;
  if (after !== undefined && (name !== undefined || !isUuid(after)))
    throw new RefusalError(
      "--after takes the whole id of a run, and only where every run is verified",
      "turnseal verify --after <run>",
    );
  if (options.allTenants === true) {
    if (name === undefined && after === undefined) return verifyTenants(options, terminal);
    throw new RefusalError(
      "--all-tenants verifies every run of every tenant, and takes no run and no --after",
      "turnseal verify --all-tenants",
    );
  }
  const opened = await openRuns(options);
  const folder = opened.kind === "open" ? opened : undefined;
  try {
    const trusted = await readTrustedKeys(options.keys, folder);
    if ("problem" in trusted)
      throw new RefusalError(trusted.problem, "turnseal keys export > keys.json");
    const trust = { ...trusted, production: options.production ?? false };
    if (name !== undefined && isPack(name))
      return report(await verifyPack(name, trust), { options, terminal, isStrict: true });
    if (name === "-" || (name !== undefined && existsSync(name)))
      return await verifyText(name, await readSubject(name, stdin), { trust, options, terminal });
    if (name !== undefined && isFileName(name))
      throw new RefusalError(`${name} does not exist`, NEXT_FILE);
    if (opened.kind === "unusable") throw new RefusalError(opened.message, opened.next);
    return await verifyStored(name, opened, { trust, options, terminal });
  } finally {
    await folder?.stores.close();
  }
}

async function readSubject(name: string, stdin: Readable): Promise<ReadText> {
  if (name === "-") return readStream(stdin, BUNDLE_BYTES_MAX);
  const { size } = await stat(name);
  if (size <= BUNDLE_BYTES_MAX) return readText(name, BUNDLE_BYTES_MAX);
  const message = `larger than ${BUNDLE_BYTES_MAX} bytes`;
  return { kind: "refused", rule: "document-size", message, mend: "export one run" };
}

interface Output {
  readonly options: VerifyCommandOptions;
  readonly terminal: Terminal;
}

async function verifyText(
  name: string,
  read: ReadText,
  { trust, ...output }: Output & { readonly trust: VerifyOptions },
): Promise<ExitCode> {
  if (read.kind === "read")
    return report(await verifyDocument(read.text, trust), { ...output, isStrict: true });
  throw new RefusalError(`${name}: ${read.message}`, NEXT_FILE);
}

async function verifyStored(
  name: string | undefined,
  folder: StoreFolder,
  { trust, ...output }: Output & { readonly trust: VerifyOptions },
): Promise<ExitCode> {
  const { options, terminal } = output;
  const isStrict = options.production ?? false;
  if (name === undefined) {
    const isExpected = options.allowOpen === true || !isStrict;
    const { after, json: isJson = false } = options;
    const tenant = folder.engine && (options.tenant ?? TENANT_DEFAULT);
    return verifyAll(folder, { trust, after, tenant, isJson, isExpected }, terminal);
  }
  const search = accept(await findRun(folder, name));
  const collected = await collectRun(folder.stores, search.known.run);
  if (collected.events.length + collected.receipts.length === 0)
    return reportEmpty(collected.run, output);
  const verdict = addAllowed(await verifyRun(collected, trust), collected.events);
  return report(verdict, { ...output, isStrict });
}

/** A run that was started and has not begun: it cannot be wrong. */
function reportEmpty(run: string, { options, terminal: { out } }: Output): ExitCode {
  const verdict = { subject: "run", verdict: "empty", run, events: 0, receipts: 0, findings: [] };
  if (options.json) writeJson(out, verdict, 2);
  else out.writeLine(line(toned("warning", "○ empty"), `  run ${run}: it has no event yet`));
  return EXIT_CODES.done;
}

interface Report extends Output {
  /** Any owner of a file can add a tail: an open turn is refused, unless it is expected. */
  readonly isStrict: boolean;
}

function report(verdict: Verdict, { options, terminal: { out }, isStrict }: Report): ExitCode {
  const { kind, ...rest } = verdict;
  const isExpected = options.allowOpen === true || !isStrict;
  if (options.json) writeJson(out, { subject: kind, ...rest }, 2);
  else renderVerdict(verdict, { isExpected }).forEach(out.writeLine);
  const isAccepted = verdict.valid || (verdict.verdict === "open" && isExpected);
  return isAccepted ? EXIT_CODES.done : EXIT_CODES.unverified;
}
