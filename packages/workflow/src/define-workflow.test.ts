import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { digestOf } from "@turnseal/protocol";
import { defineTool, type Loop, withUsed } from "@turnseal/protocol/authoring";
import { afterEach, describe, expect, test } from "vitest";
import { z } from "zod";
import { agentLoop, scope } from "./define-workflow.ts";
import { loadWorkflow } from "./load-workflow.ts";

const folders: string[] = [];
afterEach(() => {
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true });
});

const action = z.object({ target: z.string().optional(), args: z.array(z.string()) });
const tool = (id: string): Loop<never, unknown> =>
  defineTool({ id, input: action, output: z.string(), effect: "read", run: () => id }) as Loop;
const uses = [tool("view"), tool("edit"), tool("analyze")];

/** The documents of a loop and of all that it brings along, by their digests. */
function digestsOf(loop: Loop<never, unknown>): readonly string[] {
  return withUsed([loop]).map(({ definition }) => `${definition.id} ${digestOf(definition)}`);
}

async function read(text: string): Promise<Loop<never, unknown>> {
  const folder = mkdtempSync(join(tmpdir(), "turnseal-define-"));
  folders.push(folder);
  writeFileSync(join(folder, "w.toml"), text);
  const loading = await loadWorkflow(join(folder, "w.toml"), uses);
  if (loading.kind === "refused") throw new Error(JSON.stringify(loading.problems));
  return loading.loop;
}

describe("a workflow in TypeScript", () => {
  test("is the agent that the same tables of a file are", async () => {
    const text = `[workflow]
name = "dwim"
context = "task_tree"
[workflow.cache]
strategy = "in_memory"
preview_length = 500
[workflow.retry]
strategy = "exponential"
max_attempts = 3
[workflow.llm]
provider = "anthropic"
max_actions = 5
format = "text"
`;
    const dwim = await agentLoop("dwim", {
      ...{ uses, context: "task_tree" },
      cache: { strategy: "in_memory", preview_length: 500 },
      retry: { strategy: "exponential", max_attempts: 3 },
      llm: { provider: "anthropic", max_actions: 5, format: "text" },
    });
    expect(digestsOf(dwim).toSorted()).toEqual(digestsOf(await read(text)).toSorted());
  });

  test("has scopes inside each other, like a file", async () => {
    const text = `[workflow]
name = "fix"
retry = "fixed"
llm = { provider = "openai" }
[[steps]]
name = "before"
action = "analyze"
[[steps]]
summarize = true
[steps.scope]
context = "task_tree"
retry = "none"
[[steps.scope.steps]]
action = "edit a"
[[steps.scope.steps]]
action = "edit b"
[[steps.scope.steps]]
prompt = "What was done? {context}"
[[steps]]
name = "after"
action = "analyze"
`;
    const fix = await scope(
      "fix",
      { uses, retry: "fixed", llm: { provider: "openai" } },
      async (steps) => {
        steps.run("analyze", { name: "before" });
        const options = { context: "task_tree", retry: "none", summarize: true } as const;
        await steps.scope(options, async (inner) => {
          for (const file of await Promise.resolve(["a", "b"])) inner.run(`edit ${file}`);
          inner.ask("What was done? {context}");
        });
        steps.run("analyze", { name: "after" });
      },
    );
    expect(digestsOf(fix)).toEqual(digestsOf(await read(text)));
  });

  test("keeps the place of a scope that nobody waits for", async () => {
    const fix = await scope("fix", { uses }, (steps) => {
      void steps.scope({ name: "inner" }, async (inner) => {
        await Promise.resolve();
        inner.run("edit a");
      });
      steps.run("view a", { name: "after" });
    });
    const { flow } = fix.definition.composite ?? {};
    expect(flow).toMatchObject({ nodes: [{ name: "inner", kind: "sequence" }, { name: "after" }] });
  });

  test.each<[string, () => Promise<unknown>, string]>([
    [
      "a key without an effect",
      () => scope("w", { uses, context: "task_tree" }, (steps) => steps.run("view a")),
      "w: /workflow/context `context` has no effect here",
    ],
    [
      "a verb without a loop",
      () => scope("w", { uses: [] }, (steps) => steps.run("view a")),
      "w: /steps/0/action no loop `view` is registered",
    ],
    [
      "a value of another type",
      () => agentLoop("w", { uses, llm: { max_actions: 0 } }),
      "w: /workflow/llm/max_actions workflow/llm/max_actions must be a whole number from 1 to 32",
    ],
  ])("is refused with %s", async (_, define, message) => {
    await expect(define()).rejects.toMatchObject({
      ...{ code: "WORKFLOW_UNFIT", retry: "never" },
      message: expect.stringContaining(message),
    });
  });
});
