// Loops for the tests of plans: tools that only answer.
function tool(id, run) {
  const open = { version: "1.0.0", inputSchema: { type: "object" }, outputSchema: true };
  const body = { kind: "tool", tool: { implementation: `local.${id}` } };
  const definition = { ...open, id, name: id, ...body };
  return { definition, run, declared: { effect: "idempotent", build: "test" } };
}

export const look = tool("look", ({ region }) => [`ada@${region}.example`]);
export const tell = tool("tell", ({ to }) => ({ sent: to.length }));
