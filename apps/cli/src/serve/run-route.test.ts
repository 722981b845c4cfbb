// Reasons that keep a router from starting; `e2e/route.test.ts` shows the rest.
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { startProgram } from "../start-program.test.data.ts";

let root = "";
beforeAll(() => {
  root = mkdtempSync(join(tmpdir(), "turnseal-route-"));
});
afterAll(() => rmSync(root, { recursive: true }));

const cell = { name: "a", tag: "00a", url: "http://127.0.0.1:1" };
function write(value: unknown): string {
  const file = join(root, "cells.json");
  writeFileSync(file, JSON.stringify(value));
  return file;
}

test.each([
  ["the file does not exist", () => join(root, "none.json")],
  ["`names` is a list", () => write({ cells: [cell], names: [] })],
])("%s: it does not start", async (message, file) => {
  const { ended, err } = startProgram(["route", "--cells", file()]);
  expect(await ended).toBe(64);
  const said = err();
  expect(said).toContain(message);
  expect(said).toContain("next: ");
});

test("a port that is taken is said, after the cell that does not answer", async () => {
  const other = createServer();
  await new Promise<void>((resolve) => other.listen(0, "127.0.0.1", resolve));
  const address = other.address();
  const port = typeof address === "object" && address !== null ? address.port : 0;
  const cells = write({ cells: [cell], names: [["a"]] });
  const { ended, err } = startProgram(["route", "--cells", cells, "--port", String(port)]);
  expect(await ended).toBe(64);
  const said = err();
  expect(said).toContain("a does not answer (127.0.0.1:1)");
  expect(said).toContain("EADDRINUSE");
  other.close();
});

test("a tag that is none is refused by serve", async () => {
  const { ended, err } = startProgram(["serve", "--cell", "A"]);
  expect(await ended).toBe(64);
  expect(err()).toContain("--cell takes three hexadecimal digits");
});
