// Agents of workflow files in runs: large results, handles, and repeated reads.
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { folderRoots } from "@turnseal/adapters/fs";
import { createMemorySigner, type Model, type ModelRequest } from "@turnseal/ports";
import { defineTool, type Loop } from "@turnseal/protocol/authoring";
import { loadWorkflow } from "@turnseal/workflow";
import { afterEach, expect, test } from "vitest";
import { z } from "zod";
import { type Turnseal, turnseal } from "./turnseal.ts";

const folders: string[] = [];
const hosts: Turnseal[] = [];
afterEach(async () => {
  for (const host of hosts.splice(0)) await host.close();
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true });
});

const signer = { ...(await createMemorySigner()), issuer: "hosted" as const };
const LARGE = `${"0123456789".repeat(10_240)}END`;
const action = z.object({ target: z.string().optional(), args: z.array(z.string()) });

type Decide = (request: ModelRequest, handle: string | undefined) => object;

interface Given {
  /** The tool that its verb means. */
  readonly tool?: Loop<never, unknown>;
  readonly folder?: string;
}

/** Runs the agent with a model that decides from what it was sent, and gives what it was sent. */
async function runAgent(keys: string, decisions: readonly Decide[], given: Given = {}) {
  const folder = mkdtempSync(join(tmpdir(), "turnseal-agent-"));
  folders.push(folder);
  const file = join(folder, "dwim.toml");
  const verbs = "[workflow.verbs]\nview = []\n";
  writeFileSync(
    file,
    `[workflow]\nname = "dwim"\n${keys}\n[workflow.llm]\nprovider = "test"\n${verbs}`,
  );
  let reads = 0;
  const view = defineTool({
    ...{ id: "view", input: action, output: z.string(), effect: "read" },
    run: () => {
      reads += 1;
      return LARGE;
    },
  });
  const loading = await loadWorkflow(file, [given.tool ?? view]);
  if (loading.kind === "refused") throw new Error(JSON.stringify(loading.problems));
  const sent: string[] = [];
  const model: Model = {
    defaultModel: "test",
    generate: async (request) => {
      const words = JSON.stringify(request.messages);
      sent.push(words);
      const handle = /hmac-sha256:[0-9a-f]{64}/.exec(words)?.[0];
      const decision = decisions[sent.length - 1]?.(request, handle) ?? { actions: [], done: true };
      return {
        content: [{ kind: "text", text: JSON.stringify(decision) }],
        finishReason: "stop",
        usage: { inputTokens: 1, outputTokens: 1 },
      };
    },
  };
  const host = await turnseal({
    ...{ store: join(folder, "store"), environment: {}, signer },
    ...{ loops: [loading.loop], models: { test: model } },
    roots: folderRoots({ site: given.folder ?? folder }),
  });
  hosts.push(host);
  const outcome = await host.run(loading.loop, { task: "look" }, { grant: "its tools" });
  expect((await host.verify(outcome.run)).valid).toBe(true);
  return { outcome, sent, reads: () => reads };
}

const look: Decide = () => ({ actions: [{ verb: "view", target: "a" }], done: false });

test.each([
  ["16,384 bytes", ""],
  ["what the file says", "cache = { strategy = 'none', preview_length = 300 }"],
])("a result of 100 KB never goes in whole: %s", async (_, keys) => {
  const { outcome, sent } = await runAgent(keys, [look]);
  expect(outcome).toMatchObject({ status: "completed", output: { done: true } });
  const most = keys === "" ? 16_384 : 300;
  expect(sent[1]).toContain(LARGE.slice(0, most));
  expect(sent[1]).not.toContain(LARGE.slice(0, most + 1));
});

test("its handle leads to the end of it, and does not grow the next request", async () => {
  const fetch: Decide = (_, handle) => ({
    actions: [{ verb: "fetch", target: handle, from: LARGE.length - 13 }],
    done: false,
  });
  const { sent } = await runAgent("cache = { strategy = 'none', preview_length = 300 }", [
    look,
    fetch,
  ]);
  expect(sent[2]).toContain("0123456789END");
});

test.each([
  ["in_memory", 1],
  ["persistent", 1],
  ["none", 3],
])("a repeated read is answered from a cache: %s", async (strategy, count) => {
  const { outcome, reads } = await runAgent(`cache = "${strategy}"`, [look, look, look]);
  expect(outcome).toMatchObject({ status: "completed" });
  expect(reads()).toBe(count);
});

test("a read through a root is answered until its own file changes", async () => {
  const site = mkdtempSync(join(tmpdir(), "turnseal-site-"));
  folders.push(site);
  writeFileSync(join(site, "a"), "one");
  const reads: string[] = [];
  const tool = defineTool({
    ...{ id: "view", input: action, output: z.string(), effect: "read" },
    artifacts: { root: "site" },
    run: async ({ target = "" }, { artifacts }) => {
      const read = await artifacts.read(target);
      reads.push(target);
      return read.kind === "read" ? new TextDecoder().decode(read.bytes) : read.reason;
    },
  });
  const see =
    (target: string, before?: () => void): Decide =>
    () => {
      before?.();
      return { actions: [{ verb: "view", target }], done: false };
    };
  const change = (file: string) => () => writeFileSync(join(site, file), "two");
  const turns = [see("a"), see("a", change("b")), see("a", change("a")), see("c"), see("c")];
  const { sent } = await runAgent('cache = "in_memory"', [...turns, see("c", change("c"))], {
    ...{ tool: tool as Loop<never, unknown>, folder: site },
  });
  expect(reads).toEqual(["a", "a", "c", "c"]);
  expect(sent[3]).toContain('\\"output\\":\\"two\\"');
});
