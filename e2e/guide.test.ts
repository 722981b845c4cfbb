// The guide to runs under an engine, executed as it is printed.
import { readdirSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { repositoryRoot } from "../tools/tidy/tree.ts";
import { askServer } from "./command-world.ts";
import { runGuide } from "./run-guide.ts";

const folder = join(repositoryRoot, ".turnseal/guide");
const database = `turnseal_guide_${process.pid}`;
const serverUrl =
  process.env["TURNSEAL_TEST_POSTGRES_URL"] ?? "postgres://postgres@127.0.0.1:5432/test";

afterAll(async () => {
  for (const pid of listLeft()) process.kill(pid, "SIGKILL");
  await askServer(`drop database if exists ${database} with (force)`);
  rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
});

test("every command prints what the guide says", { timeout: 180_000 }, async () => {
  const url = new URL(serverUrl);
  url.pathname = `/${database}`;
  const env = { TURNSEAL_POSTGRES_URL: url.href };
  await runGuide({ document: "docs/guide/durable.md", folder, mark: "with-engine", env });
  expect(listLeft()).toEqual([]);
});

/** Processes that the guide has left behind. */
function listLeft(): number[] {
  const place = join(folder, ".turnseal");
  const names = ["durable", "restate"].filter((name) => {
    try {
      return readdirSync(join(place, name)).includes("pid");
    } catch {
      return false;
    }
  });
  return names.map((name) => Number(readFileSync(join(place, name, "pid"), "utf8")));
}
