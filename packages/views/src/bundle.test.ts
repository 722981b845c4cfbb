/** A page can fold and show a run in a browser: it needs three packages, and nothing of Node. */
import { fileURLToPath } from "node:url";
import { createContext, runInContext } from "node:vm";
import { gzipSync } from "node:zlib";
import { chainEvents, SAMPLE_CONTENTS, sampleEvent } from "@turnseal/ports";
import type { LoopEvent } from "@turnseal/protocol";
import { build, type OutputChunk } from "rolldown";
import { beforeAll, expect, test } from "vitest";
import { renderRun } from "./run-page.test.data.ts";

const here = fileURLToPath(new URL("./", import.meta.url));
const packages = fileURLToPath(new URL("../../", import.meta.url));

/** Bytes of the page's program, compressed. */
const SIZE_MAX = 60 * 1024;

let chunk: OutputChunk;
beforeAll(async () => {
  const { output } = await build({
    cwd: here,
    input: "./run-page.test.data.ts",
    platform: "browser",
    resolve: { conditionNames: ["turnseal-source", "import", "default"] },
    // An unresolved import would become an external one: it must fail instead.
    onLog: (level, log) => {
      if (level === "warn") throw new Error(log.message);
    },
    output: { format: "iife", name: "page", minify: true },
    write: false,
  });
  expect(output).toHaveLength(1);
  chunk = output[0];
});

const run = "2f1d9a52-8f3a-4c0e-9b7d-0d5f0a1b2c3d";
const { runStarted, turnStarted, callStarted, requestedTool, decided } = SAMPLE_CONTENTS;
const { claimedTool, settledTool, turnClosed, runDecided } = SAMPLE_CONTENTS;

const waiting = [
  sampleEvent("run.started", { ...runStarted, spec: { ...runStarted.spec, loop: "local.<pay>" } }),
  sampleEvent("turn.started", turnStarted),
  sampleEvent("call.started", callStarted),
  sampleEvent("approval.requested", { ...requestedTool, tool: `bank.<script>"x"` }),
];
const stopped = [
  ...waiting,
  sampleEvent("approval.decided", { ...decided, approval: 4 }),
  sampleEvent("action.claimed", claimedTool),
  sampleEvent("action.settled", { ...settledTool, claim: 6 }),
  sampleEvent("call.completed", { durationMs: 1 }),
  sampleEvent("turn.closed", turnClosed),
  sampleEvent("run.decided", { ...runDecided, decision: "stop", reason: "turns-exhausted" }),
  sampleEvent("run.stopped", { reason: "turns-exhausted" }),
];

/** Renders the page where there is nothing but the language and what every browser has. */
function render(drafts: readonly LoopEvent[]): unknown {
  const context = createContext({ TextEncoder });
  expect(runInContext("typeof process + typeof require", context)).toBe("undefinedundefined");
  const events = chainEvents(drafts, { run, epoch: 1 });
  const expression = `page.renderRun("${run}", ${JSON.stringify(events)})`;
  const html: unknown = runInContext(`${chunk.code}\n${expression}`, context);
  expect(html).toBe(renderRun(run, events));
  return html;
}

test("a page of a run consists of three packages", () => {
  const ids = Object.entries(chunk.modules).filter(([, { renderedLength }]) => renderedLength > 0);
  const names = ids.map(([id]) => /^[^/]+\/src(?=\/)/.exec(id.slice(packages.length))?.[0] ?? id);
  expect([...new Set(names)].sort()).toEqual(["folds/src", "protocol/src", "views/src"]);
  expect([...chunk.imports, ...chunk.dynamicImports]).toEqual([]);
  expect(chunk.code).not.toMatch(/\b(require|import)\s*\(|from\s*["']node:/);
});

test("it is small", () => {
  expect(gzipSync(chunk.code).length).toBeLessThan(SIZE_MAX);
});

test("it shows a run that waits for a person, with every foreign text escaped", () => {
  const html = render(waiting);
  expect(html).toContain("<h1>local.&#60;pay&#62; 1.0.0</h1>");
  expect(html).toContain("<p>running, turn 1</p>");
  expect(html).toContain(
    "<li>a person: the approval of bank.&#60;script&#62;&#34;x&#34;, until 2026-01-31T12:00:00.000Z</li>",
  );
  expect(html).not.toMatch(/<(?!\/?(h1|h2|p|ul|li)>)/);
});

test("it shows the turns of a stopped run, what it spent, and the advice after it", () => {
  const html = render(stopped);
  expect(html).toMatch(/<p>stopped: the bounds allow no further turn \(turnsMax\); start it with/);
  expect(html).toContain("<li>turn 1: completed, stop: the bounds allow no further turn");
  expect(html).toContain("<li>toolCalls: 1</li>");
  expect(html).toContain("<h2>Waits</h2>\n<ul></ul>");
});
