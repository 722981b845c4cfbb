// Prices: asked for before money is spent, and what runs have cost.
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { LIST_PRICES } from "@turnseal/adapters/models";
import { afterAll, expect, test } from "vitest";
import { sayCommand } from "../../say-command.test.data.ts";

const loops = fileURLToPath(new URL("../../__fixtures__/talker.mjs", import.meta.url));
const root = mkdtempSync(join(tmpdir(), "turnseal-costs-"));
const file = (name: string): string => join(root, name);
afterAll(() => rmSync(root, { recursive: true }));

async function turnseal(...args: readonly string[]) {
  return sayCommand([...args, "--store", file("store")]);
}

const echo = ["run", "echo", "--from", loops, "--input", '{"text":"hello"}'];
const money = ["--budget", "moneyMicros=50000"];
const price = { inputMicrosPerMillion: 3_000_000, outputMicrosPerMillion: 5_000_000 };
writeFileSync(
  file("prices.json"),
  JSON.stringify({ asOf: "2026-11-01", models: { "echo/echo-1": price } }),
);

test("a budget in money without a price is refused before anything is started", async () => {
  const { code, out, err } = await turnseal(...echo, ...money);
  expect(code).toBe(1);
  expect(out + err).toContain("price-missing");
  expect(out + err).toContain("no price is known for echo/echo-1 (echo)");
  expect(out + err).toContain("--prices");
  expect((await turnseal("runs", "--json")).out).toBe("[]\n");
});

test("with a price money is counted, also when the run is done again from its record", async () => {
  const { code, out, err } = await turnseal(...echo, ...money, "--prices", file("prices.json"));
  expect({ code, err }).toMatchObject({ code: 0 });
  expect(out).toContain("moneyMicros 8 of 50000");
  expect((await turnseal("replay", "last")).code).toBe(0);
});

test("costs are counted by day, loop and tenant, with the day of the prices", async () => {
  await turnseal(...echo);
  const read = async (...more: string[]) =>
    JSON.parse((await turnseal("costs", "--json", "--prices", file("prices.json"), ...more)).out);
  const counted = { requests: 2, inputTokens: 2, outputTokens: 2, moneyMicros: 16, unpriced: 0 };
  const today = new Date().toISOString().slice(0, 10);
  expect(await read()).toEqual({
    ...{ by: "day", pricesAsOf: "2026-11-01", unpriced: [] },
    rows: [{ name: today, ...counted }],
  });
  expect((await read("--by", "loop")).rows).toEqual([{ name: "echo", ...counted }]);
  expect((await read("--by", "tenant")).rows).toHaveLength(1);
  expect((await read("--since", "2999-01-01")).rows).toEqual([]);
});

test("what has no price is named, and never free", async () => {
  const { out } = await turnseal("costs", "--by", "loop");
  expect(out).toMatch(/^loop +requests +input +output +cost\necho +2 +2 +2 +unknown\n/);
  expect(out).toContain(
    "no price  echo/echo-1, 2 requests\n  next: turnseal costs --prices <file>",
  );
  expect(out).toContain(`list prices of ${LIST_PRICES.asOf}`);
});

test.each([
  ["nothing.json", undefined, "does not exist"],
  ["text.json", "prices", "is not JSON"],
  ["list.json", "[]", "is not a table of prices"],
  ["negative.json", { "a/b": { ...price, inputMicrosPerMillion: -1 } }, "price of a/b is not one"],
  ["half.json", { "a/b": { inputMicrosPerMillion: 1 } }, "price of a/b is not one"],
  ["more.json", { "a/b": { ...price, free: true } }, "price of a/b is not one"],
])("%s is refused", async (name, models, words) => {
  const text = typeof models === "object" ? JSON.stringify({ asOf: "x", models }) : models;
  if (text !== undefined) writeFileSync(file(name), text);
  const { code, err } = await turnseal("costs", "--prices", file(name));
  expect(code).toBe(64);
  expect(err).toContain(words);
  expect(err).toContain('next: write it as {"asOf"');
});
