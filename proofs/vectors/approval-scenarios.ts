/** Every kind of request to people that a receipt must cover. */
import type { Identity, Policy, Rule } from "@turnseal/protocol";
import type { Loop } from "@turnseal/protocol/authoring";
import { drive, type Scenario, type ScenarioWorld, settles } from "./kernel-runs.ts";

const bob: Identity = { id: "bob", roles: ["finance"] };
const carol: Identity = { id: "carol", roles: ["finance"] };

function asking(rule: Partial<Rule> = {}): Policy {
  const decision = "ask" as const;
  const where = { file: "rules.toml", line: 3 };
  return {
    name: "adding",
    rules: [
      { id: "ask-first", decision, tools: ["local.add"], role: "finance", ...where, ...rule },
    ],
  };
}

const question: Loop<never, unknown> = {
  definition: {
    id: "confirm",
    name: "confirm",
    version: "1.0.0",
    kind: "tool",
    inputSchema: { type: "object" },
    outputSchema: { type: "object", required: ["sure"] },
    tool: { implementation: "turnseal.question", config: { role: "finance", withinMs: 60_000 } },
  },
};
const errand: Loop<never, unknown> = {
  definition: {
    ...question.definition,
    id: "errand",
    name: "errand",
    tool: { implementation: "turnseal.question", config: { to: "agent" } },
  },
};
const mayAsk = { tools: ["local.add", "turnseal.question"] };

export const APPROVAL_SCENARIOS: readonly Scenario[] = [
  {
    name: "approved",
    description: "A person approves, and the action is done under that approval.",
    policy: asking(),
    play: (world) => decideAll(world, [bob]),
  },
  {
    name: "approved-within-time",
    description: "The run has a budget of active time. No request has it, and the claim does.",
    policy: asking(),
    grant: { budget: { toolCalls: 8, activeMs: 60_000 } },
    play: (world) => decideAll(world, [bob]),
  },
  {
    name: "approved-by-two",
    description: "Two people have to approve, and do.",
    policy: asking({ approvers: 2 }),
    play: (world) => decideAll(world, [bob, carol]),
  },
  {
    name: "approved-out-of-order",
    description: "A model asks for two tools; the second is approved first, and done second.",
    policy: asking(),
    script: [
      {
        toolCalls: [1, 2].map((count) => ({ tool: "local__add", input: { count } })),
      },
      "done",
    ],
    play: async (world) => {
      await drive(world);
      const requests = await world.host.requests(world.run);
      for (const { id } of requests.toReversed())
        await world.host.decide(world.run, id, { choice: "approve", by: bob });
      await drive(world);
    },
  },
  {
    name: "edited",
    description: "A person wants other arguments; they are asked for anew, and another approves.",
    policy: asking(),
    play: async (world) => {
      await drive(world);
      const [first] = await world.host.requests(world.run);
      const edit = { choice: "edit", by: bob, arguments: { count: 5 } } as const;
      await world.host.decide(world.run, first?.id ?? "", edit);
      await decideAll(world, [carol]);
    },
  },
  {
    name: "separated",
    description: "Whoever started or edited it is excluded from approving; a third person does.",
    by: "alice",
    policy: asking({ exclude: ["starter", "editor"] }),
    play: async (world) => {
      await drive(world);
      const [first] = await world.host.requests(world.run);
      const edit = { choice: "edit", by: bob, arguments: { count: 5 } } as const;
      await world.host.decide(world.run, first?.id ?? "", edit);
      await decideAll(world, [carol]);
    },
  },
  {
    name: "rejected",
    description: "A person rejects: nothing is claimed, and the turn is sealed as rejected.",
    policy: asking(),
    play: (world) => decideAll(world, [bob], "reject"),
  },
  {
    name: "rejected-and-told",
    description: "A person rejects, and the model is told and goes on.",
    policy: asking({ onReject: "tell" }),
    script: [{ toolCalls: [{ tool: "local__add", input: { count: 1 } }] }, "none"],
    play: (world) => decideAll(world, [bob], "reject"),
  },
  {
    name: "not-decided-in-time",
    description: "Nobody decides: nothing is claimed, and the turn is sealed as rejected.",
    policy: asking({ decideWithinMs: 60_000 }),
    play: async (world) => {
      await drive(world);
      world.clock.advance(60_001);
      await drive(world);
    },
  },
  {
    name: "not-used-in-time",
    description: "An approval is looked at too late to be used: nothing is claimed.",
    policy: asking({ useWithinMs: 60_000 }),
    play: async (world) => {
      await drive(world);
      await decide(world, bob);
      world.clock.advance(60_001);
      await drive(world);
    },
  },
  {
    name: "approved-and-superseded",
    description:
      "A crash after an approved claim: the claim in its place is under the same approval.",
    policy: asking({ useWithinMs: 1 }),
    crash: settles("tool"),
    play: (world) => decideAll(world, [bob]),
  },
  {
    name: "approved-and-unknown",
    description: "A crash after an approved claim of a tool that acts once; the same role answers.",
    policy: asking(),
    effect: "once",
    crash: settles("tool"),
    play: async (world) => {
      await decideAll(world, [bob]);
      const run = await world.host.show(world.run);
      const key = run?.openTurn?.open.find(({ isUnknown }) => isUnknown)?.key ?? "";
      const answer = { resolution: "happened", result: { count: 1 } } as const;
      await world.host.resolve(world.run, { key, by: carol, ...answer });
      await drive(world);
    },
  },
  {
    name: "question-answered",
    description: "A person answers a question, and the answer is the turn's output.",
    root: question,
    grant: mayAsk,
    play: (world) => answer(world, bob),
  },
  {
    name: "question-not-answered",
    description: "Nobody answers a question in time.",
    root: question,
    grant: mayAsk,
    play: async (world) => {
      await drive(world);
      world.clock.advance(60_001);
      await drive(world);
    },
  },
  {
    name: "errand-answered",
    description: "An agent outside answers what it was asked to do.",
    root: errand,
    grant: mayAsk,
    play: (world) => answer(world, { id: "courier", roles: [] }),
  },
];

/** The first request that waits is decided by one person. */
async function decide(
  { host, run }: ScenarioWorld,
  by: Identity,
  choice: "approve" | "reject" = "approve",
): Promise<void> {
  const [request] = await host.requests(run);
  await host.decide(run, request?.id ?? "", { choice, by });
}

async function decideAll(
  world: ScenarioWorld,
  people: readonly Identity[],
  choice?: "approve" | "reject",
): Promise<void> {
  for (const by of people) {
    await drive(world);
    await decide(world, by, choice);
  }
  await drive(world);
}

async function answer(world: ScenarioWorld, by: Identity): Promise<void> {
  await drive(world);
  const [request] = await world.host.requests(world.run);
  await world.host.answer(world.run, request?.id ?? "", { answer: { sure: true }, by });
  await drive(world);
}
