import { readEvents } from "@turnseal/host";
import { type PriceTable, priceTokens } from "@turnseal/protocol";
import { TENANT_DEFAULT } from "@turnseal/runtime";
import { readRuns, type StoreFolder } from "@turnseal/runtime/folder";
import { readPrices } from "@turnseal/runtime/project";
import { writeJson } from "@turnseal/terminal";
import { type COSTS_BY, type Costs, type CostsRow, renderCosts } from "@turnseal/terminal/runs";
import { followUsage, type ModelUse } from "@turnseal/views";
import { EXIT_CODES, type ExitCode } from "../../exit-codes.ts";
import { accept } from "../../terminal/refusal.ts";
import type { Surroundings } from "../../terminal/surroundings.ts";
import { type StoreOptions, withFolder } from "../../with-run.ts";

export interface CostsOptions extends StoreOptions {
  readonly by?: (typeof COSTS_BY)[number];
  readonly since?: string;
  readonly prices?: string;
  readonly json?: boolean;
}

/** `turnseal costs`: model requests and their costs, over all runs. */
export function runCosts(options: CostsOptions, { terminal }: Surroundings): Promise<ExitCode> {
  return withFolder(options, async (folder) => {
    const read = accept(await readPrices(options.prices));
    const costs = await collectCosts(folder, read.prices, options);
    const { out } = terminal;
    if (options.json) writeJson(out, costs, 2);
    else renderCosts(costs).forEach(out.writeLine);
    return EXIT_CODES.done;
  });
}

/** Reads every log once, and keeps only a row for each day or name. */
async function collectCosts(
  folder: StoreFolder,
  prices: PriceTable,
  { by = "day", since = "", tenant = TENANT_DEFAULT }: CostsOptions,
): Promise<Costs> {
  const rows = new Map<string, CostsRow>();
  const unpriced = new Map<string, number>();
  for await (const { run, loop, projection } of readRuns(folder)) {
    if (projection === undefined || projection.lastAt < since) continue;
    const follow = followUsage();
    for await (const event of readEvents(folder.stores.log, run, 1)) {
      const use = follow(event);
      if (use === undefined || use.at < since) continue;
      const name = { day: use.at.slice(0, 10), loop, tenant }[by];
      const micros = priceTokens(prices, use.model, use.tokens);
      if (micros === undefined) unpriced.set(use.model, (unpriced.get(use.model) ?? 0) + 1);
      rows.set(name, addUse(rows.get(name) ?? emptyRow(name), use, micros));
    }
  }
  return {
    by,
    pricesAsOf: prices.asOf,
    rows: [...rows.values()].sort((a, b) => (a.name < b.name ? -1 : 1)),
    unpriced: [...unpriced].sort().map(([model, requests]) => ({ model, requests })),
  };
}

function emptyRow(name: string): CostsRow {
  return { name, requests: 0, inputTokens: 0, outputTokens: 0, moneyMicros: 0, unpriced: 0 };
}

function addUse(row: CostsRow, { tokens }: ModelUse, micros: number | undefined): CostsRow {
  return {
    name: row.name,
    requests: row.requests + 1,
    inputTokens: row.inputTokens + (tokens.inputTokens ?? 0),
    outputTokens: row.outputTokens + (tokens.outputTokens ?? 0),
    moneyMicros: row.moneyMicros + (micros ?? 0),
    unpriced: row.unpriced + (micros === undefined ? 1 : 0),
  };
}
