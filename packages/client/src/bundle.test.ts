/** The client loads without Node, and has no other dependencies than it declares. */
import { fileURLToPath } from "node:url";
import { createContext, runInContext } from "node:vm";
import { build, type OutputChunk } from "rolldown";
import { describe, expect, test } from "vitest";
import { conversation, run } from "./session/sample-envelopes.test.data.ts";

async function bundleEntry(specifier: string, external: string[]): Promise<OutputChunk> {
  const { output } = await build({
    cwd: fileURLToPath(new URL("./", import.meta.url)),
    input: specifier,
    external,
    platform: "browser",
    resolve: { conditionNames: ["turnseal-source", "import", "default"] },
    // An unresolved import would become an external one: it must fail instead.
    onLog: (level, log) => {
      if (level === "warn") throw new Error(log.message);
    },
    output: { format: external.length === 0 ? "iife" : "esm", name: "bundle", minify: true },
    write: false,
  });
  expect(output).toHaveLength(1);
  return output[0];
}

function listPackages(chunk: OutputChunk): string[] {
  const names = Object.keys(chunk.modules).flatMap(
    (id) => /node_modules\/((@[^/]+\/)?[^/]+)/.exec(id)?.[1] ?? [],
  );
  return [...new Set(names)];
}

/** Bytes of the client with all that it needs, before compression. */
const SIZE_MAX = 26_000;

describe("@turnseal/client", () => {
  test("imports nothing, and brings the parser only", async () => {
    const chunk = await bundleEntry("@turnseal/client", []);
    expect([...chunk.imports, ...chunk.dynamicImports]).toEqual([]);
    expect(chunk.code).not.toMatch(/\b(require|import)\s*\(|from\s*["']node:/);
    expect(listPackages(chunk)).toEqual(["eventsource-parser"]);
    expect(chunk.code.length).toBeLessThan(SIZE_MAX);
  });

  test("folds a session where there is nothing but the language", async () => {
    const { code } = await bundleEntry("@turnseal/client/fold", []);
    const context = createContext({ TextEncoder });
    expect(runInContext("typeof process + typeof require", context)).toBe("undefinedundefined");
    const events = JSON.stringify(conversation);
    const fold = `${events}.reduce(bundle.applyEnvelope, bundle.emptySession("${run}"))`;
    const kinds = `bundle.listItems(${fold}).map((item) => item.kind).join()`;
    expect(runInContext(`${code}\n${kinds}`, context)).toBe(
      "user,reasoning,assistant,tool,assistant,user,tool,abort",
    );
  });
});

test("@turnseal/client/react adds react, and nothing of a page", async () => {
  const chunk = await bundleEntry("@turnseal/client/react", ["react"]);
  expect(chunk.imports).toEqual(["react"]);
  expect(listPackages(chunk)).toEqual(["eventsource-parser"]);
});

test("@turnseal/client/runs imports nothing, and is small", async () => {
  const chunk = await bundleEntry("@turnseal/client/runs", []);
  expect([...chunk.imports, ...listPackages(chunk)]).toEqual([]);
  expect(chunk.code.length).toBeLessThan(4_000);
});

test("@turnseal/client/ai-sdk imports nothing, not even the SDK, and is small", async () => {
  const chunk = await bundleEntry("@turnseal/client/ai-sdk", []);
  expect(chunk.imports).toEqual([]);
  expect(listPackages(chunk)).toEqual(["eventsource-parser"]);
  expect(chunk.code.length).toBeLessThan(12_000);
});
