/** Reads the prices of models: the built-in table, and a file of one's own that overrides it. */

import { parseJsonText, readText } from "@turnseal/documents";
import { isPlainObject, type ModelPrice, type PriceTable } from "@turnseal/protocol";
import { hasOnly, isCount, isText } from "@turnseal/protocol/shape";

export type ReadPrices =
  | { readonly kind: "read"; readonly prices: PriceTable }
  | { readonly kind: "unusable"; readonly message: string; readonly next: string };

/** How such a file is written. */
export const PRICES_EXAMPLE =
  '{"asOf":"2030-01-31","models":{"openai/gpt-4.1":{"inputMicrosPerMillion":2000000,' +
  '"outputMicrosPerMillion":8000000}}}';

/** Reads a file of prices. A model that it names costs what it says, others what is shipped. */
export async function readPrices(file: string | undefined): Promise<ReadPrices> {
  const { LIST_PRICES } = await import("@turnseal/adapters/models");
  if (file === undefined) return { kind: "read", prices: LIST_PRICES };
  const read = await readText(file);
  if (read.kind === "refused") return unusable(`${file}: ${read.message}`);
  const parsed = parseJsonText(read.text);
  if (parsed.kind === "refused") return unusable(`${file} is not JSON`);
  if (!isTable(parsed.value)) return unusable(`${file} is not a table of prices`);
  const wrong = Object.entries(parsed.value.models).find(([, price]) => !isPrice(price));
  if (wrong !== undefined) return unusable(`${file}: the price of ${wrong[0]} is not one`);
  const { asOf, models } = parsed.value;
  return { kind: "read", prices: { asOf, models: { ...LIST_PRICES.models, ...models } } };
}

const hasTable = hasOnly({ asOf: isText, models: isPlainObject });

function isTable(value: unknown): value is PriceTable {
  return hasTable(value);
}

const hasPrice = hasOnly(
  { inputMicrosPerMillion: isCount, outputMicrosPerMillion: isCount },
  {
    cacheReadMicrosPerMillion: isCount,
    cacheWriteMicrosPerMillion: isCount,
    reasoningMicrosPerMillion: isCount,
  },
);

function isPrice(value: unknown): value is ModelPrice {
  return hasPrice(value);
}

function unusable(message: string): ReadPrices {
  return { kind: "unusable", message, next: `write it as ${PRICES_EXAMPLE}` };
}
