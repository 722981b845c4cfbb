import type { JsonObject } from "@turnseal/protocol";
import type { ToolContext } from "@turnseal/protocol/authoring";
import { dynamicTool, jsonSchema, tool, zodSchema } from "ai";
import { describe, expect, test } from "vitest";
import { z } from "zod";
import { fromAiSdkTool } from "./index.ts";

const context: ToolContext = {
  ...{ callId: "call", key: "key", epoch: 1, deadlineAt: "2026-01-01T00:00:00.000Z" },
  ...{ signal: new AbortController().signal, config: {}, secrets: {} },
  ...{ log: () => {}, emit: () => {}, onToolOutputDelta: () => {} },
  artifacts: {
    read: () => Promise.reject(new Error()),
    list: () => Promise.reject(new Error()),
    digestOf: () => "sha256:0",
    write: () => Promise.reject(new Error()),
    remove: () => Promise.reject(new Error()),
  },
  ...{ file: () => Promise.reject(new Error()), readFile: () => Promise.reject(new Error()) },
};

const sendMail = tool({
  description: "Sends a mail",
  inputSchema: z.object({ to: z.string(), copies: z.number().default(1) }),
  execute: async ({ to, copies }) => ({ sent: `${copies} to ${to}` }),
});

const shape = { type: "object", properties: { to: { type: "string" } } } as const;

describe("a tool of the AI SDK", () => {
  test("acts at most once, and asks first, unless somebody says otherwise", async () => {
    const loop = fromAiSdkTool("send_mail", sendMail);
    expect(loop).toMatchObject({
      definition: {
        id: "send_mail",
        description: "Sends a mail",
        tool: { implementation: "local.send_mail" },
        inputSchema: { type: "object", required: ["to"] },
      },
      declared: { effect: "once" },
    });
    const ask = { kind: "ask", why: "by-default", description: "Run send_mail?" };
    expect(loop.gate?.({ to: "ada" })).toEqual(ask);
    expect(await loop.run?.({ to: "ada" }, context)).toEqual({ sent: "1 to ada" });
  });

  test("asks what it is told to ask, or nothing", () => {
    const loop = fromAiSdkTool("send_mail", sendMail, {
      requestApproval: ({ to }) => (to === "ada" ? null : `Write to ${String(to)}?`),
    });
    expect(loop.gate?.({ to: "ada" })).toMatchObject({ kind: "run", why: "not-needed" });
    expect(loop.gate?.({ to: "eve" })).toMatchObject({ description: "Write to eve?" });
    const allowed = fromAiSdkTool("send_mail", sendMail, { approval: "always_allow" });
    expect(allowed.gate?.({ to: "eve" })).toEqual({ kind: "run", why: "always-allow" });
    const reading = fromAiSdkTool("send_mail", sendMail, { effect: "read" });
    expect(reading.gate?.({ to: "eve" })).toEqual({ kind: "run", why: "read-only" });
  });

  test("has the build of its own function", () => {
    const other = tool({ inputSchema: z.object({}), execute: async () => 7 });
    const builds = [sendMail, other].map((one) => fromAiSdkTool("x", one).declared?.build);
    expect(new Set(builds).size).toBe(2);
  });

  test.each([
    ["a schema of the AI SDK", jsonSchema(shape)],
    ["zod through the AI SDK", zodSchema(z.object({ to: z.string() }))],
    ["one that is made later", () => jsonSchema(shape)],
  ])("may have %s", async (_, inputSchema) => {
    const loop = fromAiSdkTool("send", dynamicTool({ inputSchema, execute: async (x) => x }));
    expect(loop.definition.inputSchema).toMatchObject({ properties: { to: { type: "string" } } });
    expect(JSON.stringify(loop.definition.inputSchema)).not.toContain("$schema");
    expect(await loop.run?.({ to: "ada" }, context)).toEqual({ to: "ada" });
  });

  test("is not executed with what its own schema refuses", async () => {
    const validate = (value: unknown) =>
      (value as JsonObject)["to"] === "ada"
        ? { success: true as const, value: value as JsonObject }
        : { success: false as const, error: new Error("no") };
    const inputSchema = jsonSchema<JsonObject>(shape, { validate });
    const loop = fromAiSdkTool("send", tool({ inputSchema, execute: async () => "sent" }), {
      requestApproval: () => null,
    });
    expect(loop.gate?.({ to: "ada" })).toMatchObject({ kind: "run" });
    expect(loop.gate?.({ to: "eve" })).toMatchObject({ kind: "ask", why: "gate-failed" });
    expect(await loop.run?.({ to: "ada" }, context)).toBe("sent");
    await expect(loop.run?.({ to: "eve" }, context)).rejects.toMatchObject({
      code: "TOOL_NOT_DONE",
    });
  });

  test("that answers bit by bit has answered with the last of it, or with null", async () => {
    const inputSchema = z.object({});
    const counting = tool({
      inputSchema,
      async *execute() {
        yield "one";
        yield "two";
      },
    });
    expect(await fromAiSdkTool("count", counting).run?.({}, context)).toBe("two");
    const silent = tool({ inputSchema, execute: async () => undefined });
    expect(await fromAiSdkTool("silent", silent).run?.({}, context)).toBeNull();
  });

  test("is told which call it serves, and when to stop", async () => {
    let given: unknown;
    const spy = tool({
      inputSchema: z.object({}),
      execute: async (_, options) => {
        given = options;
        return null;
      },
    });
    await fromAiSdkTool("spy", spy, { context: { tenant: "acme" } }).run?.({}, context);
    const { callId: toolCallId, signal: abortSignal } = context;
    expect(given).toEqual({ toolCallId, abortSignal, messages: [], context: { tenant: "acme" } });
  });

  test.each<[string, unknown]>([
    ["that is executed elsewhere", tool({ inputSchema: z.object({}), outputSchema: z.string() })],
    [
      "whose schema comes later",
      { inputSchema: jsonSchema(Promise.resolve(shape)), execute: () => null },
    ],
    ["without a schema", { inputSchema: undefined, execute: () => null }],
    [
      "whose schema cannot be written down",
      { inputSchema: { "~standard": { validate: () => ({}) } }, execute: () => null },
    ],
  ])("%s is TOOL_UNUSABLE", (_, unusable) => {
    const wrap = () => fromAiSdkTool("x", unusable as Parameters<typeof fromAiSdkTool>[1]);
    expect(wrap).toThrow(expect.objectContaining({ code: "TOOL_UNUSABLE" }));
  });
});
