// The guide to workflows in a folder, executed as it is printed, against a server with the API of a
// provider.
import { readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { listFences, readMark } from "../tools/documents/list-fences.ts";
import { repositoryRoot } from "../tools/tidy/tree.ts";
import { type CoderModel, openCoderModel } from "./coder-model.ts";
import { runGuide } from "./run-guide.ts";

const document = "docs/guide/fix-a-repository.md";
const folder = join(repositoryRoot, ".turnseal/fix-a-repository");
/** Lines of an agent that people write themselves, without empty ones. */
const LINES_MAX = 30;
let model: CoderModel;

beforeAll(async () => {
  model = await openCoderModel();
});
afterAll(async () => {
  await model.close();
  rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
});

test("every command prints what the page says", { timeout: 300_000 }, async () => {
  await runGuide({
    ...{ document, folder, mark: "with-model", env: { TURNSEAL_ROLES: "" } },
    adapt: (script) =>
      script
        .replace("http://127.0.0.1:8080/v1", model.url)
        .replace("node fixer.ts", "node --conditions=turnseal-source fixer.ts"),
    show: (printed) =>
      printed.replace(/\d+ events/, "140 events").replace(/event \d+$/m, "event 138"),
  });
});

test.each(["fixer.toml", "fixer.ts"])("the agent %s has at most 30 lines", (name) => {
  const fences = listFences(document, readFileSync(join(repositoryRoot, document), "utf8"));
  const fence = fences.find((each) => readMark(each, "file") === name);
  const lines = fence?.text.split("\n").filter((line) => line.trim() !== "") ?? [];
  expect(lines.length).toBeGreaterThan(10);
  expect(lines.length).toBeLessThanOrEqual(LINES_MAX);
});
