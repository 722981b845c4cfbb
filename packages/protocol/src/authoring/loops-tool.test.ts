import { mkdtemp, readFile, rm, writeFile as write } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { inspect } from "node:util";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { z } from "zod";
import { ApprovalRequiredError, LOOPS_TOOL_ERROR_CODES, loopsTool } from "./index.ts";

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "turnseal-tools-"));
});
afterAll(() => rm(folder, { recursive: true }));

const fs = { writeFile: (path: string, content: string) => write(join(folder, path), content) };

export const writeFile = loopsTool({
  name: "write_file",
  description: "Write content to a file",
  readOnly: false,
  inputSchema: z.object({
    path: z.string(),
    content: z.string(),
  }),
  requestApproval: ({ path }, ctx) =>
    ctx.mode === "unsupervised" ? null : `Write to \`${path}\`?`,
  execute: async ({ path, content }, opts) => {
    opts.onToolOutputDelta(`Writing ${content.length} bytes to ${path}…\n`);
    await fs.writeFile(path, content);
    return { ok: true };
  },
});

const callOptions = { toolCallId: "call-1", messages: [] };

async function codeOf(promise: Promise<unknown>): Promise<unknown> {
  const error: unknown = await promise.then(
    () => undefined,
    (thrown: unknown) => thrown,
  );
  return (error as { code?: unknown } | undefined)?.code;
}

describe("a tool that asks", () => {
  test("is caught where it is called, with everything that a person needs", async () => {
    const pending: ApprovalRequiredError[] = [];
    const sessionStore = {
      appendPendingApproval: async (error: ApprovalRequiredError) => pending.push(error),
    };
    const tool = writeFile.withApproval("ask", "supervised");
    const ctx = {};
    const input = { path: "asked.txt", content: "hello" };

    try {
      await tool.makeTool(ctx).execute(input, callOptions);
    } catch (err) {
      if (err instanceof ApprovalRequiredError) {
        await sessionStore.appendPendingApproval(err);
      } else {
        throw err;
      }
    }

    const [error] = pending;
    expect(pending).toHaveLength(1);
    expect(error).toMatchObject({
      code: "APPROVAL_REQUIRED",
      retry: "pause",
      description: "Write to `asked.txt`?",
      toolName: "write_file",
      toolCallId: "call-1",
      input,
    });
    await expect(readFile(join(folder, "asked.txt"))).rejects.toThrow();
  });

  test("does not print what it would be executed with", async () => {
    const input = { path: "secret-plans.txt", content: "attack at dawn" };
    const thrown: unknown = await writeFile
      .makeTool()
      .execute(input, callOptions)
      .catch((error: unknown) => error);
    for (const printed of [inspect(thrown), JSON.stringify(thrown), String(thrown)])
      expect(printed).not.toMatch(/secret-plans|dawn/);
  });

  test("runs in a mode for which it says that nobody need be asked", async () => {
    const deltas: unknown[] = [];
    const made = writeFile.withApproval("ask", "unsupervised").makeTool({
      onToolOutputDelta: (delta, call) => deltas.push([delta, call]),
    });
    const input = { path: "alone.txt", content: "hello" };
    expect(await made.execute(input, callOptions)).toEqual({ ok: true });
    expect(await readFile(join(folder, "alone.txt"), "utf8")).toBe("hello");
    expect(deltas).toEqual([
      ["Writing 5 bytes to alone.txt…\n", { toolCallId: "call-1", toolName: "write_file" }],
    ]);
  });

  test("takes its mode from where it is made, unless it was given one", async () => {
    const input = { path: "mode.txt", content: "" };
    const context = { mode: "unsupervised" };
    expect(await writeFile.makeTool(context).execute(input, callOptions)).toEqual({ ok: true });
    const supervised = writeFile.withApproval("ask", "supervised").makeTool(context);
    expect(await codeOf(supervised.execute(input, callOptions))).toBe("APPROVAL_REQUIRED");
  });
});

function counting(readOnly: boolean) {
  const calls = { asked: 0, executed: 0 };
  const tool = loopsTool({
    ...{ name: "count", description: "Counts", readOnly, inputSchema: z.object({}) },
    requestApproval: () => {
      calls.asked += 1;
      return "Count?";
    },
    execute: () => {
      calls.executed += 1;
      return calls.executed;
    },
  });
  return { tool, calls };
}

describe("a policy", () => {
  test("always_allow runs, and never asks the tool", async () => {
    const { tool, calls } = counting(false);
    const made = tool.withApproval("always_allow", "any").makeTool();
    expect(await made.execute({}, callOptions)).toBe(1);
    expect(calls).toEqual({ asked: 0, executed: 1 });
  });

  test("blocked executes nothing, and never asks the tool", async () => {
    const { tool, calls } = counting(true);
    const made = tool.withApproval("blocked", "any").makeTool();
    expect(await codeOf(made.execute({}, callOptions))).toBe("TOOL_BLOCKED");
    expect(calls).toEqual({ asked: 0, executed: 0 });
  });

  test("is baked into a copy: the tool stays as it was", async () => {
    const { tool, calls } = counting(false);
    const allowed = tool.withApproval("always_allow", "night");
    const blocked = allowed.withApproval("blocked", "day");
    expect([tool.policy, allowed.policy, blocked.policy]).toEqual([
      "ask",
      "always_allow",
      "blocked",
    ]);
    expect([tool.mode, allowed.mode, blocked.mode]).toEqual([undefined, "night", "day"]);
    expect(await codeOf(tool.makeTool().execute({}, callOptions))).toBe("APPROVAL_REQUIRED");
    expect(await allowed.makeTool().execute({}, callOptions)).toBe(1);
    expect(calls.executed).toBe(1);
  });

  test.each([
    [true, undefined],
    [false, "APPROVAL_REQUIRED"],
  ])("a tool that says nothing, with readOnly %s: %s", async (readOnly, code) => {
    const inputSchema = z.object({});
    const tool = loopsTool({
      ...{ name: "quiet", description: "", readOnly, inputSchema, execute: () => "done" },
    });
    expect(await codeOf(tool.makeTool().execute({}, callOptions))).toBe(code);
  });
});

describe("what a tool is given", () => {
  const allowed = <Wire, Output>(tool: ReturnType<typeof loopsTool<Wire, unknown, Output>>) =>
    tool.withApproval("always_allow", "test").makeTool();

  test("was checked by its schema first", async () => {
    const { tool, calls } = counting(false);
    const made = tool.withApproval("always_allow", "test").makeTool();
    const wrong = "no object" as unknown as Record<string, never>;
    expect(await codeOf(made.execute(wrong, callOptions))).toBe("TOOL_INPUT_REFUSED");
    expect(calls).toEqual({ asked: 0, executed: 0 });
  });

  test("was parsed once, however often it was checked", async () => {
    const tool = loopsTool({
      ...{ name: "parse", description: "", readOnly: true },
      inputSchema: z.object({
        text: z.string().transform((text) => text.length),
        times: z.number().default(2),
      }),
      execute: ({ text, times }) => text * times,
    });
    const made = allowed(tool);
    const checked = await made.inputSchema["~standard"].validate({ text: "four" });
    expect(checked).toEqual({ value: { text: "four" } });
    expect(await made.execute({ text: "four" }, callOptions)).toBe(8);
    const refused = await made.inputSchema["~standard"].validate({ text: 4 });
    expect(refused.issues).toHaveLength(1);
  });

  test("are the secrets that it declares, and no others", async () => {
    const tool = loopsTool({
      ...{ name: "pay", description: "", readOnly: true, inputSchema: z.object({}) },
      secrets: ["PAY_KEY"],
      execute: (_, { secrets }) => ({ ...secrets }),
    });
    const secrets = { PAY_KEY: "sk-live-1234", OTHER: "another" };
    expect(await tool.makeTool({ secrets }).execute({}, callOptions)).toEqual({
      PAY_KEY: "sk-live-1234",
    });
    for (const missing of [{}, { secrets: {} }, { secrets: { PAY_KEY: "" } }])
      expect(await codeOf(tool.makeTool(missing).execute({}, callOptions))).toBe(
        "TOOL_SECRET_MISSING",
      );
    const inherited = Object.create(secrets) as typeof secrets;
    expect(await codeOf(tool.makeTool({ secrets: inherited }).execute({}, callOptions))).toBe(
      "TOOL_SECRET_MISSING",
    );
  });

  test("is not listened to once it has returned", async () => {
    const deltas: string[] = [];
    let speak: (delta: string) => void = () => {};
    const tool = loopsTool({
      ...{ name: "late", description: "", readOnly: true, inputSchema: z.object({}) },
      execute: (_, { onToolOutputDelta }) => {
        speak = onToolOutputDelta;
        speak("in time");
      },
    });
    const context = { onToolOutputDelta: (delta: string) => deltas.push(delta) };
    await tool.makeTool({ ...context }).execute({}, callOptions);
    speak("too late");
    expect(deltas).toEqual(["in time"]);
  });

  test("every code is one that a caller can meet", () => {
    expect(LOOPS_TOOL_ERROR_CODES).toEqual([
      "APPROVAL_REQUIRED",
      "TOOL_BLOCKED",
      "TOOL_INPUT_REFUSED",
      "TOOL_SECRET_MISSING",
    ]);
  });
});

describe("a tool as a loop", () => {
  test("reads, or acts at most once, as it says", () => {
    expect(writeFile.toLoop()).toMatchObject({
      definition: {
        id: "write_file",
        version: "1.0.0",
        kind: "tool",
        description: "Write content to a file",
        inputSchema: { type: "object", required: ["path", "content"] },
        outputSchema: true,
        tool: { implementation: "local.write_file" },
      },
      declared: { effect: "once" },
    });
    expect(counting(true).tool.toLoop().declared).toMatchObject({ effect: "read" });
  });

  test("is called and versioned as one likes, and declares what it can", () => {
    const loop = writeFile.toLoop({ id: "save", version: "2.1.0", effect: "idempotent" });
    expect(loop.definition).toMatchObject({ id: "save", version: "2.1.0" });
    expect(loop.declared).toMatchObject({ effect: "idempotent" });
  });

  test("has the build of its own function", () => {
    const other = counting(false).tool.toLoop();
    expect(writeFile.toLoop().declared?.build).toMatch(/^source:[0-9a-f]{16}$/);
    expect(other.declared?.build).not.toBe(writeFile.toLoop().declared?.build);
  });

  test("says by its gate what it would throw elsewhere", () => {
    const input = { path: "a.txt", content: "" };
    expect(writeFile.toLoop().gate?.(input)).toEqual({
      kind: "ask",
      why: "tool-asks",
      description: "Write to `a.txt`?",
    });
    const unsupervised = writeFile.withApproval("ask", "unsupervised").toLoop();
    expect(unsupervised.gate?.(input)).toEqual({ kind: "run", why: "not-needed" });
    const blocked = writeFile.withApproval("blocked", "any").toLoop();
    expect(blocked.gate?.(input)).toEqual({ kind: "blocked" });
  });

  test("asks by default where its schema cannot be asked at once, or refuses", () => {
    const slow = loopsTool({
      ...{ name: "slow", description: "", readOnly: false },
      inputSchema: z.object({}).refine(async () => true),
      requestApproval: () => null,
      execute: () => null,
    });
    const failed = { kind: "ask", why: "gate-failed", description: "Run slow?" };
    expect(slow.toLoop().gate?.({})).toEqual(failed);
    const strict = loopsTool({
      ...{ name: "slow", description: "", readOnly: false },
      inputSchema: z.object({}).refine(() => false),
      requestApproval: () => null,
      execute: () => null,
    });
    expect(strict.toLoop().gate?.({})).toEqual(failed);
  });
});
