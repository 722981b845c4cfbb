// Lists of runs: narrowed, in pages, as people and as programs read them.
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir, userInfo } from "node:os";
import { join } from "node:path";
import { PassThrough, Readable } from "node:stream";
import { fileURLToPath } from "node:url";
import { sqliteStores } from "@turnseal/adapters/sqlite";
import { createScreen } from "@turnseal/terminal";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { runProgram } from "../../program.ts";
import { readWritten } from "../../read-written.test.data.ts";

const loops = fileURLToPath(new URL("../../__fixtures__/payments.mjs", import.meta.url));
const root = mkdtempSync(join(tmpdir(), "turnseal-lists-"));
const file = (name: string): string => join(root, name);
afterAll(() => rmSync(root, { recursive: true }));

/** At a terminal of so many columns, where there is one. */
async function run(args: readonly string[], columns?: number) {
  const [stdout, stderr] = [new PassThrough(), new PassThrough()];
  const seen = columns === undefined ? stdout : Object.assign(stdout, { isTTY: true, columns });
  const code = await runProgram(args, {
    ...{ environment: {}, stdin: Readable.from([]), stdout, stderr },
    terminal: { out: createScreen(seen, { NO_COLOR: "1" }), err: createScreen(stderr, {}) },
  });
  return { code, out: readWritten(stdout), err: readWritten(stderr) };
}

const ask = (...args: string[]) => run([...args, "--store", file("store")]);
const begin = (loop: string, ...more: string[]) => ask("run", loop, "--from", loops, ...more);

let id = "";
beforeAll(async () => {
  const input = JSON.stringify({ payment: { ledger: file("ledger.txt"), actMs: 0 } });
  const given = ["--input", input, "--allow", "local.pay-once", "--json"];
  const { out } = await begin("refund", ...given);
  id = String(JSON.parse(out.split("\n")[0] ?? "")["run"]);
});

describe("a list of runs is narrowed", () => {
  const list = async (...more: string[]) =>
    JSON.parse((await ask("runs", "--json", ...more)).out) as { run: string; loop: string }[];

  test("by state, loop, start and number, and says when nothing matches", async () => {
    await begin("count", "--json");
    expect((await list("--state", "stopped")).map(({ run }) => run)).toContain(id);
    expect(await list("--state", "waiting")).toEqual([]);
    expect(new Set((await list("--loop", "refund")).map(({ loop }) => loop))).toEqual(
      new Set(["refund"]),
    );
    expect(await list("--loop", "nothing")).toEqual([]);
    expect((await list("--since", "1h")).map(({ run }) => run)).toContain(id);
    expect(await list("--since", "2999-01-01")).toEqual([]);
    const { out, err } = await ask("runs", "--json", "--limit", "1");
    expect(JSON.parse(out)).toHaveLength(1);
    expect(err).toMatch(/note: there are older runs\n {2}next: turnseal runs --before [0-9a-f]{8}/);
    expect((await ask("runs", "--loop", "nothing")).err).toContain("no run matches");
  });

  test("by who granted and by key, and goes on where a page has ended", async () => {
    await begin("count", "--json", "--key", "order-17");
    expect(await list("--key", "order-17")).toHaveLength(1);
    expect(await list("--key", "order-18")).toEqual([]);
    expect((await ask("runs", "--key", "order-18")).err).toBe("no run was started with this key\n");
    const all = await list();
    const grantor = userInfo().username;
    expect(await list("--grantor", grantor)).toEqual(all);
    expect(await list("--grantor", "eve")).toEqual([]);
    const paged: unknown[] = [];
    for (let before: string[] = []; ; ) {
      const [row] = await list("--limit", "1", ...before);
      if (row === undefined) break;
      paged.push(row);
      before = ["--before", row.run];
    }
    expect(paged).toEqual(all);
    expect((await ask("runs", "--before", "nope")).code).toBe(64);
  });

  test("is cut to a terminal, and its least useful column is the last", async () => {
    const { out } = await ask("runs");
    for (const row of out.trimEnd().split("\n"))
      expect(row).toMatch(/^[0-9a-f]{8} {2}\S.* {2}(refund|count) +\d\d:\d\d {2}\d+ turns?$/);
    const narrow = await run(["runs", "--store", file("store")], 40);
    for (const row of narrow.out.trimEnd().split("\n"))
      expect(row).toMatch(/^[0-9a-f]{8} {2}stopped: .{0,30}$/);
  });

  test("an emptied database beside notes of runs is a warning", async () => {
    const folder = file("emptied");
    const given = ["--from", loops, "--json", "--store", folder];
    await run(["run", "count", ...given]);
    for (const end of ["", "-wal", "-shm"]) rmSync(join(folder, `runs.db${end}`), { force: true });
    sqliteStores({ file: join(folder, "runs.db") }).close();
    const { out, err } = await run(["runs", "--store", folder]);
    expect(out).toBe("");
    expect(err).toContain("warning: the database has no runs, but 1 run once started here");
  });

  test.each([
    [["--state", "asleep"], "Allowed choices are running, moving"],
    [["--since", "yesterday"], "Write a time such as"],
    [["--limit", "0"], "Write a number from 1"],
  ])("%j is refused", async (args, words) => {
    const { code, err } = await ask("runs", ...args);
    expect(code).toBe(64);
    expect(err).toContain(words);
  });
});
