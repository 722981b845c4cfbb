// Agents for the tests of `turnseal serve`: a prompt that the scripted model answers.
export const chat = {
  definition: {
    ...{ id: "chat", name: "chat", version: "1.0.0", kind: "prompt" },
    ...{ inputSchema: { type: "object" }, outputSchema: true },
    prompt: { template: "{{text}}", variables: ["text"] },
  },
};

const grant = { grantor: "operator", tools: [], budget: { turns: 10 } };

export const agents = {
  chat: {
    loop: chat,
    grant,
    bounds: { turnsMax: 10, awaits: ["message"], nextInput: { text: "$.signals.message.text" } },
  },
};
