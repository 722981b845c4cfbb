/**
 * Every effect goes through the journal: nothing else calls what acts. Only an action's `act` asks
 * a model or calls a tool, and only the journal calls `act`.
 */
import { readdirSync, readFileSync } from "node:fs";
import { expect, test } from "vitest";

const root = new URL("../../../../", import.meta.url);

/** Sources of everything that carries runs, but for tests, by their paths in the repository. */
function listSources(): readonly string[] {
  const folders = ["packages/kernel/src", "packages/host/src", "packages/runtime/src", "apps"];
  return folders.flatMap((folder) =>
    readdirSync(new URL(folder, root), { recursive: true })
      .map((name) => `${folder}/${String(name)}`)
      .filter((path) => /\/src\/.*\.ts$/.test(path))
      .filter((path) => !/\.test\.|__fixtures__|node_modules|\/conformance\//.test(path)),
  );
}

const sources = listSources().map(
  (path) => [path, readFileSync(new URL(path, root), "utf8")] as const,
);
const findUses = (pattern: RegExp): readonly string[] =>
  sources.filter(([, text]) => pattern.test(text)).map(([path]) => path);

test("only the journals call an action's act", () => {
  expect(findUses(/\.act\(/)).toEqual([
    "packages/kernel/src/journal/claim-and-act.ts",
    "packages/kernel/src/journal/direct-journal.ts",
  ]);
});

test("a model is asked in one place, and a tool called in one", () => {
  expect(findUses(/\bmodel\.generate\(/)).toEqual(["packages/kernel/src/actions/ask-model.ts"]);
  expect(findUses(/\btool\.run\(/)).toEqual([
    "packages/kernel/src/actions/execute-tool.ts",
    // It stands around the function of a tool, and is called in its place.
    "packages/host/src/undo/check/guard-compensations.ts",
  ]);
  expect(findUses(/\btool\.reconcile\(/)).toEqual(["packages/kernel/src/actions/execute-tool.ts"]);
});

test("what asks and calls is reached through an action alone", () => {
  expect(findUses(/from "[^"]*\/execute-tool\.ts"/)).toEqual([
    "packages/kernel/src/tools/run-tool.ts",
  ]);
  const [, runTool = ""] = sources.find(([path]) => path.endsWith("/tools/run-tool.ts")) ?? [];
  const [, askModel = ""] = sources.find(([path]) => path.endsWith("/actions/ask-model.ts")) ?? [];
  expect(runTool.match(/\bexecuteTool\(/g)).toHaveLength(1);
  expect(runTool).toMatch(/\n {4}act: .*\{\n(?: {6}.*\n)* {6}return executeTool\(/);
  expect(askModel).toMatch(/\bact: \(given\) => generate\(/);
  expect(askModel.match(/\bgenerate\(/g)).toHaveLength(3);
});
