/** `turnseal verify --all-tenants`: the runs of every tenant, one tenant after the other. */

import { readTrustedKeys, type StoreVerdict, verifyStore } from "@turnseal/operate/proof";
import type { VerdictWord, VerifyOptions } from "@turnseal/protocol/receipts";
import type { RunPlace } from "@turnseal/runtime";
import { openTenantRuns } from "@turnseal/runtime/runs";
import {
  countOf,
  type Line,
  line,
  PROGRESS_MS,
  renderProgress,
  type Span,
  type Terminal,
  toned,
  writeJson,
} from "@turnseal/terminal";
import { renderVerdict } from "@turnseal/terminal/operate";
import { EXIT_CODES, type ExitCode } from "../exit-codes.ts";
import { listenForStop } from "../terminal/listen-for-stop.ts";
import { accept, RefusalError } from "../terminal/refusal.ts";

type Opened = Extract<Awaited<ReturnType<typeof openTenantRuns>>, { kind: "open" }>;

export interface TenantsOptions extends RunPlace {
  readonly production?: boolean;
  readonly allowOpen?: boolean;
  readonly json?: boolean;
  readonly keys?: string;
}

interface TenantVerdict {
  readonly tenant: string;
  readonly verdict: StoreVerdict;
}

export async function verifyTenants(
  options: TenantsOptions,
  terminal: Terminal,
): Promise<ExitCode> {
  const { host, postgres, store, archive } = options;
  if (host === undefined)
    throw new RefusalError(
      "--all-tenants is for runs under an engine",
      "turnseal verify --all-tenants --host <url> --postgres <url of the operator>",
    );
  const place = { host, postgres, store, archive };
  const given = Object.entries(place).filter(([, value]) => value !== undefined);
  const opened = accept(await openTenantRuns(Object.fromEntries(given), { asOperator: true }));
  const stop = listenForStop(undefined);
  try {
    return await verifyEach(opened, { options, terminal, signal: stop.signal });
  } finally {
    stop.release();
    await opened.close();
  }
}

interface Work {
  readonly options: TenantsOptions;
  readonly terminal: Terminal;
  readonly signal: AbortSignal;
}

async function verifyEach(opened: Opened, work: Work): Promise<ExitCode> {
  const { options, terminal, signal } = work;
  const tenants = (await opened.listTenantsWithRuns?.()) ?? [];
  const checked: TenantVerdict[] = [];
  for (const tenant of tenants) {
    if (signal.aborted) break;
    const folder = opened.forTenant(tenant);
    const trusted = await readTrustedKeys(options.keys, folder);
    if ("problem" in trusted)
      throw new RefusalError(trusted.problem, "turnseal keys export > keys.json");
    const trust: VerifyOptions = { ...trusted, production: options.production ?? false };
    const verdict = await verifyStore(folder, trust, { ...createProgress(work), isPart: true });
    checked.push({ tenant, verdict });
    if (options.json !== true) renderTenant({ tenant, verdict }).forEach(terminal.out.writeLine);
  }
  return conclude(checked, tenants.length, work);
}

function createProgress({ terminal, signal }: Work) {
  let saidMs = Date.now();
  return {
    signal,
    onProgress: (count: number, upTo: string): void => {
      if (Date.now() - saidMs < PROGRESS_MS) return;
      saidMs = Date.now();
      terminal.err.writeLine(renderProgress(count, upTo));
    },
  };
}

/** A tenant without findings is only part of the count at the end. */
function renderTenant({ tenant, verdict }: TenantVerdict): Line[] {
  if (verdict.found === 0) return [];
  return [
    line(toned("strong", tenant)),
    ...renderVerdict({ kind: "store", ...verdict }, { isExpected: true }),
  ];
}

function conclude(
  checked: readonly TenantVerdict[],
  tenants: number,
  { options, terminal: { out }, signal }: Work,
): ExitCode {
  const sum = (read: (verdict: StoreVerdict) => number): number =>
    checked.reduce((total, { verdict }) => total + read(verdict), 0);
  const isInvalid = checked.some(({ verdict }) => verdict.verdict === "invalid");
  const isOpen = signal.aborted || checked.some(({ verdict }) => verdict.verdict === "open");
  const verdict: VerdictWord = isInvalid ? "invalid" : isOpen ? "open" : "valid";
  const [runs, receipts] = [sum((each) => each.checked), sum(({ set }) => set.receipts)];
  if (options.json === true) {
    const parts = checked.map(({ tenant, verdict: part }) => ({ tenant, ...part }));
    const whole = { subject: "tenants", verdict, valid: verdict === "valid", runs, receipts };
    writeJson(out, { ...whole, interrupted: signal.aborted, tenants: parts }, 2);
  } else {
    const of = signal.aborted
      ? `${checked.length} of ${tenants} tenants`
      : describeTenants(tenants);
    const counts = `${countOf(runs, "run")}, ${countOf(receipts, "receipt")} of ${of}`;
    out.writeLine(line(renderWord(verdict, signal.aborted), `  ${counts}`));
  }
  if (isInvalid) return EXIT_CODES.unverified;
  if (signal.aborted) return EXIT_CODES.interrupted;
  const isExpected = options.allowOpen === true || options.production !== true;
  return verdict === "valid" || isExpected ? EXIT_CODES.done : EXIT_CODES.unverified;
}

function describeTenants(count: number): string {
  return count === 1 ? "the only tenant" : `all ${count} tenants`;
}

function renderWord(verdict: VerdictWord, isInterrupted: boolean): Span {
  if (verdict === "invalid") return toned("bad", "✗ invalid");
  if (isInterrupted) return toned("warning", "○ not finished");
  return verdict === "valid" ? toned("good", "✓ valid") : toned("warning", "○ valid so far");
}
