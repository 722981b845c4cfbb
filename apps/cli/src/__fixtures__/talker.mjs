// A model that writes its answer piece by piece, for the tests of following a run.
const open = { version: "1.0.0", inputSchema: true, outputSchema: true };

export const talk = {
  definition: {
    ...open,
    id: "talk",
    name: "talk",
    kind: "prompt",
    backend: { id: "talker" },
    prompt: { template: "Say {{text}}", variables: ["text"] },
  },
};

export const echo = {
  definition: {
    ...talk.definition,
    id: "echo",
    name: "echo",
    backend: { id: "echo" },
    prompt: { template: "Say {{text}}", variables: ["text"] },
  },
};

export const number = {
  definition: {
    ...open,
    id: "number",
    name: "number",
    kind: "prompt",
    backend: { id: "echo" },
    prompt: { template: "Count {{count}}", variables: ["count"] },
  },
};

const pieces = ["One, ", "two,\n", "\u001b[2Jthree."];

export const models = {
  // Answers with what it was sent, so that a test sees what reaches a model.
  echo: {
    defaultModel: "echo-1",
    generate: async ({ messages }) => ({
      content: [{ kind: "text", text: `Echo: ${messages.at(-1).text}` }],
      finishReason: "stop",
      usage: { inputTokens: 1, outputTokens: 1 },
    }),
  },
  talker: {
    defaultModel: "talker-1",
    generate: async ({ onDelta }) => {
      onDelta?.({ kind: "reasoning", part: 0, text: "Counting." });
      for (const text of pieces) onDelta?.({ kind: "text", part: 1, text });
      return {
        content: [
          { kind: "reasoning", text: "Counting." },
          { kind: "text", text: pieces.join("") },
        ],
        finishReason: "stop",
        usage: { inputTokens: 7, outputTokens: 3 },
      };
    },
  },
};
