// Loops for the tests of secrets: tools that repeat what they were given in every way they can, and
// a model that repeats everything it is told.
import { execFileSync } from "node:child_process";

const open = { version: "1.0.0", inputSchema: true, outputSchema: true };

function tool(id) {
  return { ...open, id, name: id, kind: "tool", tool: { implementation: `local.${id}` } };
}

const base64 = (text) => Buffer.from(text).toString("base64");

function spell(secret) {
  return {
    [secret]: secret,
    base64: [secret, `a${secret}`, `ab${secret}`].map(base64),
    base64url: Buffer.from(secret).toString("base64url"),
    url: `https://example.com/?key=${encodeURIComponent(secret)}`,
    json: JSON.stringify({ secret }),
    hex: Buffer.from(secret).toString("hex"),
    halves: [secret.slice(0, secret.length / 2), secret.slice(secret.length / 2)],
  };
}

/** The names of variables that a process would inherit. */
function listInherited() {
  const script = "console.log(Object.keys(process.env).join())";
  return execFileSync(process.execPath, ["-e", script], { encoding: "utf8" }).trim();
}

/** Returns, logs and emits it, and tells what a process of its own would see. */
export const repeat = {
  definition: tool("repeat"),
  run: (_, { secrets, log, emit }) => {
    const spelled = spell(secrets.LEAKY_KEY);
    for (const text of [secrets.LEAKY_KEY, ...spelled.base64, ...spelled.halves]) log("warn", text);
    emit("leaky.http.sent", { header: spelled });
    return { spelled, inherited: listInherited() };
  },
  declared: { effect: "read", secrets: ["LEAKY_KEY"] },
};

/** Throws it. */
export const complain = {
  definition: tool("complain"),
  run: (_, { secrets }) => {
    throw new Error(`no: ${JSON.stringify(spell(secrets.LEAKY_KEY))}`);
  },
  declared: { effect: "read", secrets: ["LEAKY_KEY"] },
};

/** Needs what nobody has. */
export const lack = {
  definition: tool("lack"),
  run: () => ({ executed: true }),
  declared: { effect: "read", secrets: ["NOBODY_HAS_THIS"] },
};

/** Takes a key from its environment without saying so. */
export const careless = {
  definition: tool("careless"),
  run: (_, { log }) => {
    log("warn", process.env.CARELESS_KEY);
    return spell(process.env.CARELESS_KEY);
  },
  declared: { effect: "read" },
};

const prompt = (id, tools) => ({
  definition: {
    ...open,
    id,
    name: id,
    kind: "prompt",
    prompt: { template: "Go", variables: [], tools: tools.map((loopId) => ({ loopId })) },
    backend: { id: "parrot" },
  },
});

export const leak = prompt("leak", ["repeat", "complain", "lack"]);
export const leakOpenly = prompt("leak-openly", ["careless"]);

export const models = {
  // It asks for every tool once, and then says what it heard.
  parrot: {
    defaultModel: "parrot-1",
    generate: async ({ messages, tools = [] }) => {
      const usage = { inputTokens: 1, outputTokens: 1 };
      const heard = messages.filter(({ role }) => role === "tool");
      if (heard.length > 0) {
        const text = JSON.stringify(heard.map(({ result }) => result));
        return { content: [{ kind: "text", text }], finishReason: "stop", usage };
      }
      const content = tools.map(({ name: toolName }, index) => {
        return { kind: "tool-call", toolCallId: `${index}`, toolName, input: "{}" };
      });
      return { content, finishReason: "tool-calls", usage };
    },
  },
};
