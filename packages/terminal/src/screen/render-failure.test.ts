import { readFileSync } from "node:fs";
import { KEYS_ERROR_CODES, KeysError } from "@turnseal/adapters/keys";
import { ENGINE_ERROR_CODES } from "@turnseal/host/restate";
import { STORE_ERROR_CODES, StoreError } from "@turnseal/ports";
import { expect, test } from "vitest";
import { formatLine } from "./line.ts";
import { renderFailure } from "./render-failure.ts";

const render = (error: unknown) =>
  renderFailure(error).map((line) => formatLine(line, { isColoured: false }));

test("a failure is said with its cause, and with what to do about it", () => {
  const cause = new Error("connect ECONNREFUSED 127.0.0.1:1");
  expect(
    render(new StoreError("STORE_UNREACHABLE", "the database cannot be reached", cause)),
  ).toEqual([
    "error: the database cannot be reached: connect ECONNREFUSED 127.0.0.1:1",
    "  next: check --store or --postgres; a new database needs createdb and turnseal migrate",
  ]);
  expect(render(new KeysError("KEYS_BUSY", "another process changes the keys"))).toHaveLength(2);
});

test("whatever a store, a key or an engine fails with has a next step", () => {
  for (const code of [...STORE_ERROR_CODES, ...KEYS_ERROR_CODES, ...ENGINE_ERROR_CODES])
    expect(render(Object.assign(new Error("no"), { code }))).toHaveLength(2);
});

test("a folder that nobody may write to has one, too", () => {
  expect(render(thrownBy(() => readFileSync(`${import.meta.filename}/inside`)))[1]).toBe(
    "  next: check the permissions there, or use --store <another folder>",
  );
});

test.each([new Error("no"), "no", Object.assign(new Error("no"), { code: 7 })])(
  "what nobody knows is only said",
  (error) => {
    expect(render(error)).toEqual(["error: no"]);
  },
);

function thrownBy(act: () => unknown): unknown {
  try {
    return act();
  } catch (error) {
    return error;
  }
}
