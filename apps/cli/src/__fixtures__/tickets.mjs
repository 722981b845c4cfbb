// A flow over as many tickets as it is given: every 50th cannot be read, and every 40th only the
// second time. What is urgent is told to a person, who has to approve it.
const open = { version: "1.0.0", inputSchema: true, outputSchema: true };
const seen = new Set();

function tool(id, run, effect) {
  const tool = { implementation: `local.${id}` };
  return {
    definition: { ...open, id, name: id, kind: "tool", tool },
    ...{ run, declared: { effect } },
  };
}

export const read = tool(
  "read",
  ({ number }) => {
    if (number % 50 === 49) throw new Error("it is gone");
    if (number % 40 === 39 && !seen.has(number)) {
      seen.add(number);
      throw new Error("not yet");
    }
    return { number };
  },
  "read",
);
export const escalate = tool("escalate", ({ number }) => ({ number }), "once");

function flow(id, body) {
  const each = {
    ...{ kind: "forEach", items: "$.input.tickets", max: 200, as: "ticket" },
    ...{ onItemError: "continue", body },
  };
  const report = { kind: "call", when: "false", loopId: "read", inputMapping: {} };
  const composite = { flow: { kind: "sequence", nodes: [each, report] } };
  return { definition: { ...open, id, name: id, kind: "composite", composite } };
}

const inputMapping = { number: "$.ticket" };
const retry = { strategy: "immediate", max: 2 };

export const triage = flow("triage", { kind: "call", loopId: "read", inputMapping, retry });
export const alarm = flow("alarm", { kind: "call", loopId: "escalate", inputMapping });
