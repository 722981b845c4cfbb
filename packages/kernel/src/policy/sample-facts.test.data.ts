import type { JsonValue, PolicyFacts } from "@turnseal/protocol";

/** The facts that vectors and tests are about, with other arguments each time. */
export function sampleFacts(args: JsonValue, tool: Partial<PolicyFacts["tool"]> = {}): PolicyFacts {
  return {
    tool: { name: "local.pay", version: "1.0.0", effect: "once", ...tool },
    args,
    grant: { grantor: "alice", tools: ["local.pay"], budget: { toolCalls: 5 } },
    spend: { toolCalls: 3 },
    needs: { amounts: { "payments.cents": 1200 } },
    run: { id: "2f1d9a52-8f3a-4c0e-9b7d-0d5f0a1b2c3d", turn: 2 },
  };
}
