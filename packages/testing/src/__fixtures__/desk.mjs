// Loops for the tests of harness files: a clerk that refunds, asks and hands on. The model decides
// by the conversation alone. A text in DESK_TEMPLATE takes the place of the clerk's prompt.
import { defineTool, jsonSchema, notDone } from "@turnseal/protocol/authoring";

const open = { version: "1.0.0", inputSchema: true, outputSchema: true };

function tool(id, implementation, config) {
  const body = config === undefined ? { implementation } : { implementation, config };
  return { ...open, id, name: id, kind: "tool", tool: body };
}

export const refund = {
  definition: {
    ...tool("refund", "desk.refund"),
    inputSchema: {
      type: "object",
      properties: { order: { type: "string" }, cents: { type: "integer" } },
      required: ["order", "cents"],
    },
  },
  run: ({ order, cents }) => {
    if (cents === 13) throw notDone(`no luck with ${order}`);
    return { reference: `paid-${order}`, cents };
  },
  declared: { effect: "idempotent", build: "1" },
};

export const lookup = {
  definition: tool("lookup", "desk.lookup"),
  run: ({ order }) => ({ order, customer: "Grace Hopper" }),
  declared: { effect: "read", build: "1" },
};

/** Appends a line to a file of the root `files`. */
export const append = defineTool({
  ...{ id: "append", version: "1.0.0", implementation: "desk.append", effect: "idempotent" },
  build: "1",
  artifacts: { root: "files" },
  input: jsonSchema({ type: "object", required: ["path", "line"] }),
  output: jsonSchema(true),
  run: async ({ path, line }, { artifacts }) => {
    const found = await artifacts.read(path);
    const before = found.kind === "read" ? new TextDecoder().decode(found.bytes) : "";
    const expected = found.kind === "read" ? { expected: found.digest } : {};
    const bytes = new TextEncoder().encode(`${before}${line}\n`);
    const change = await artifacts.write(path, bytes, expected);
    if (change.kind !== "done") throw notDone(`${path}: ${change.reason ?? change.kind}`);
    return { path };
  },
});

export const hang = {
  definition: tool("hang", "desk.hang"),
  run: () => new Promise(() => {}),
  declared: { effect: "read", build: "1" },
};

export const review = {
  definition: {
    ...tool("review", "turnseal.question", { to: "person", role: "finance" }),
    outputSchema: { type: "object", properties: { fine: { type: "boolean" } }, required: ["fine"] },
  },
};

export const delegate = {
  definition: tool("delegate", "turnseal.handoff", {
    loop: "refund",
    grant: { tools: ["desk.refund"], budget: { turns: 2, toolCalls: 2, effects: 1, handoffs: 0 } },
  }),
};

const names = { refund: "desk__refund", lookup: "desk__lookup", review: "turnseal__question" };

export const clerk = {
  definition: {
    ...open,
    id: "clerk",
    name: "clerk",
    kind: "prompt",
    backend: { id: "clerk" },
    prompt: {
      template: process.env.DESK_TEMPLATE ?? "Do {{plan}} for {{customer}}",
      variables: ["plan", "customer"],
      tools: ["refund", "lookup", "review"].map((loopId) => ({ loopId })),
    },
  },
};

export const models = {
  clerk: {
    defaultModel: "clerk-1",
    generate: async ({ messages }) => {
      const { text } = messages.find(({ role }) => role === "user");
      const plan = JSON.parse(text.slice(3, text.lastIndexOf(" for ")));
      const round = messages.filter(({ role }) => role === "assistant").length;
      const calls = plan[round];
      const usage = { inputTokens: 11, outputTokens: 5 };
      if (calls === undefined)
        return { content: [{ kind: "text", text: "all done" }], finishReason: "stop", usage };
      const content = calls.map(([name, input], index) => ({
        kind: "tool-call",
        toolCallId: `t-${round}-${index}`,
        toolName: names[name],
        input: JSON.stringify(input),
      }));
      return { content, finishReason: "tool-calls", usage };
    },
  },
};
