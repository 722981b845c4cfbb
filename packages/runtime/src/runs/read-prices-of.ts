import type { RunSpec, Spending } from "@turnseal/protocol";
import { readOrigin } from "../folder/origins/origin.ts";
import type { StoreFolder } from "../folder/store-folder.ts";
import { type ReadPrices, readPrices } from "../project/read-prices.ts";

type Budget = Pick<RunSpec["grant"], "budget">;

/** Prices are for a budget in money alone: without one nothing is counted in money. */
export async function readPricesFor(
  grant: Budget | undefined,
  file: string | undefined,
): Promise<ReadPrices | { readonly kind: "read"; readonly prices: undefined }> {
  if (grant?.budget.moneyMicros === undefined) return { kind: "read", prices: undefined };
  return readPrices(file);
}

interface PricesOf {
  readonly grant: Budget | undefined;
  readonly file: string | undefined;
  /** A worker or a server counts money for every run: what was counted is counted again. */
  readonly spending?: Spending | undefined;
}

/** The same for a run that was started: from the file of its start by default. */
export async function readPricesOf(
  run: string,
  { path, engine }: StoreFolder,
  { grant, file, spending }: PricesOf,
): ReturnType<typeof readPricesFor> {
  const origin = engine === undefined ? await readOrigin(path, run) : undefined;
  const from = file ?? origin?.prices;
  const isCounted = spending?.settled.moneyMicros !== undefined;
  return isCounted ? readPrices(from) : readPricesFor(grant, from);
}
