import { mkdirSync, writeFileSync } from "node:fs";
import { readOptions } from "../../tools/command/read-options.ts";
import { makeReceiptVectors } from "./make-receipt-vectors.ts";

readOptions({
  name: "npm run vectors",
  about: [
    "Writes the vectors of receipts into spec/vectors: one event and one receipt to a line, so that",
    "a change can be read.",
  ],
  lasts: "less than a minute",
  options: {},
});
const folder = new URL("../../spec/vectors/", import.meta.url);
for (const [name, vectors] of Object.entries(await makeReceiptVectors())) {
  const file = new URL(`${name}.json`, folder);
  mkdirSync(new URL(".", file), { recursive: true });
  writeFileSync(file, `${renderValue(vectors, "", 5)}\n`);
  process.stdout.write(`${name}: ${vectors.length}\n`);
}

/** JSON over several lines down to a depth, and on one line below it. */
function renderValue(value: unknown, indent: string, depth: number): string {
  if (typeof value !== "object" || value === null || depth === 0) return JSON.stringify(value);
  const inner = `${indent} `;
  const items = Array.isArray(value)
    ? value.map((item) => renderValue(item, inner, depth - 1))
    : Object.entries(value)
        .filter(([, item]) => item !== undefined)
        .map(([name, item]) => `${JSON.stringify(name)}: ${renderValue(item, inner, depth - 1)}`);
  const [open, close] = Array.isArray(value) ? ["[", "]"] : ["{", "}"];
  if (items.length === 0) return open + close;
  return `${open}\n${inner}${items.join(`,\n${inner}`)}\n${indent}${close}`;
}
