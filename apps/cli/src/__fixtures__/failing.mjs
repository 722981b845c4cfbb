// Prompts whose provider does not answer, to be run and to be served.
const prompt = (id, backend, more = {}) => ({
  definition: {
    ...{ id, version: "1.0.0", name: id, kind: "prompt", backend },
    ...{ inputSchema: true, outputSchema: true },
    prompt: { template: "Say hello", variables: [] },
    ...more,
  },
});
const backend = { id: "openai-compatible", model: "small" };

export const ask = prompt("ask", backend);
export const hasty = prompt("hasty", backend, { policy: { timeoutMs: 1_000 } });
export const uninstalled = prompt("uninstalled", { id: "google", model: "small" });

const grant = { grantor: "operator", tools: [], budget: { turns: 10 } };
const serve = (loop) => ({ loop, grant, bounds: { retryForMs: 0 } });
export const agents = {
  ask: serve(ask),
  hasty: serve(hasty),
  uninstalled: serve(uninstalled),
};
