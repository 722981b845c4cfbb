import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { watchFiles } from "./watch-files.ts";

let folder: string;
let stop: AbortController;
let seen: string[];
let watching: Promise<void>;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "turnseal-watch-"));
  write("a", "1");
  stop = new AbortController();
  seen = [];
  watching = watchFiles({
    list: async () => readdirSync(folder).map((name) => join(folder, name)),
    onChange: async () => {
      const names = readdirSync(folder).sort();
      const texts = names.map((name) => readFileSync(join(folder, name), "utf8"));
      seen.push(names.map((name, index) => `${name}${texts[index]}`).join(" "));
    },
    stop: stop.signal,
  });
});
afterEach(async () => {
  stop.abort();
  await watching;
  rmSync(folder, { recursive: true });
});

function write(name: string, text: string): void {
  writeFileSync(join(folder, name), text);
}

const untilSeen = (times: number) =>
  vi.waitFor(() => expect(seen).toHaveLength(times), { timeout: 20_000, interval: 20 });

test("a change, a new file and one that is gone are each told once", async () => {
  await new Promise((resume) => setTimeout(resume, 700));
  expect(seen).toEqual([]);
  write("a", "22");
  await untilSeen(1);
  write("b", "1");
  await untilSeen(2);
  rmSync(join(folder, "a"));
  await untilSeen(3);
  expect(seen).toEqual(["a22", "a22 b1", "b1"]);
  stop.abort();
  await watching;
  write("c", "1");
  expect(seen).toHaveLength(3);
}, 60_000);
