import { type StoreVerdict, verifyStore } from "@turnseal/operate/proof";
import type { VerifyOptions } from "@turnseal/protocol/receipts";
import type { StoreFolder } from "@turnseal/runtime/folder";
import {
  type Line,
  line,
  PROGRESS_MS,
  renderJson,
  renderProgress,
  type Screen,
  type Terminal,
  toned,
} from "@turnseal/terminal";
import { renderVerdict } from "@turnseal/terminal/operate";
import { EXIT_CODES, type ExitCode } from "../exit-codes.ts";
import { listenForStop } from "../terminal/listen-for-stop.ts";

export interface VerifyAllOptions {
  readonly trust: VerifyOptions;
  /** The tenant of the runs; undefined in a folder, which has no tenants. */
  readonly tenant: string | undefined;
  /** Goes on behind this run. */
  readonly after: string | undefined;
  readonly isJson: boolean;
  /** An open turn is nothing to be warned of. */
  readonly isExpected: boolean;
}

/** Verifies every run there is. It says how far it is, and where to go on when interrupted. */
export async function verifyAll(
  folder: StoreFolder,
  { trust, after, tenant, isJson, isExpected }: VerifyAllOptions,
  { out, err }: Terminal,
): Promise<ExitCode> {
  const stop = listenForStop(undefined);
  const written = isJson ? writeRuns(out) : undefined;
  let saidMs = Date.now();
  let sayLast = (): void => {};
  try {
    const verdict = await verifyStore(folder, trust, {
      ...(after === undefined ? {} : { after }),
      signal: stop.signal,
      onRun: (run) => written?.add(run),
      onProgress: (checked, upTo) => {
        sayLast = () => err.writeLine(renderProgress(checked, upTo));
        if (Date.now() - saidMs < PROGRESS_MS) return;
        saidMs = Date.now();
        sayLast();
      },
    });
    if (written === undefined) {
      renderVerdict({ kind: "store", ...verdict }, { isExpected }).forEach(out.writeLine);
      if (tenant !== undefined) out.writeLine(renderTenant(tenant));
    } else written.end({ ...(tenant === undefined ? {} : { tenant }), ...verdict });
    return toExitCode(verdict, isExpected);
  } catch (error) {
    // A run that cannot be read ends the check, and the last line says where to go on.
    sayLast();
    throw error;
  } finally {
    stop.release();
  }
}

/** The runs of one tenant must not pass for those of all. */
function renderTenant(tenant: string): Line {
  const all = toned("faint", "turnseal verify --all-tenants checks those of every tenant");
  return line(`  of tenant ${tenant} only; `, all);
}

function toExitCode({ verdict, interrupted }: StoreVerdict, isExpected: boolean): ExitCode {
  if (verdict === "invalid") return EXIT_CODES.unverified;
  if (interrupted !== undefined) return EXIT_CODES.interrupted;
  return verdict === "valid" || isExpected ? EXIT_CODES.done : EXIT_CODES.unverified;
}

/** One document whose runs are written one by one: there may be very many. */
function writeRuns(out: Screen) {
  let count = 0;
  const add = (text: string): void => out.writeText(text);
  add('{\n  "subject": "tree",\n  "runs": [');
  return {
    add: (run: object): void => add(`${count++ === 0 ? "" : ","}\n    ${renderJson(run)}`),
    end: ({ findings: _, ...verdict }: StoreVerdict & { readonly tenant?: string }): void =>
      add(`\n  ],${renderJson(verdict, 2).slice(1)}\n`),
  };
}
