/** Every way in which a turn can go that a receipt must tell of. */
import { notDone } from "@turnseal/protocol/authoring";
import { drive, type Scenario, type ScenarioWorld, settles } from "./kernel-runs.ts";

export const SCENARIOS: readonly Scenario[] = [
  {
    name: "one-turn",
    description: "One turn, one tool, completed.",
  },
  {
    name: "three-turns",
    description: "Three turns towards a goal; each receipt names the one before.",
    bounds: {
      goal: { path: "$.output.count", atLeast: 3 },
      nextInput: { count: "$.output.count" },
    },
    act:
      ({ clock }) =>
      ({ count }) => {
        clock.advance(40);
        return { count: count + 1 };
      },
  },
  {
    name: "model-and-tool",
    description: "A model asks for a tool and answers from its result.",
    script: [{ toolCalls: [{ tool: "local__add", input: { count: 1 } }] }, "two"],
    effect: "read",
  },
  {
    name: "failed",
    description: "The tool says that it did nothing: the turn is sealed as failed.",
    effect: "once",
    act: () => () => {
      throw notDone("no");
    },
  },
  {
    name: "failed-and-retried",
    description: "A failed turn is followed by another turn, each with its receipt.",
    effect: "once",
    bounds: { failuresMax: 2 },
    act: () => {
      let calls = 0;
      return ({ count }) => {
        calls += 1;
        if (calls === 1) throw notDone("not yet");
        return { count: count + 1 };
      };
    },
  },
  {
    name: "denied-by-expiry",
    description:
      "The grant has expired before the turn: nothing is claimed, and the denial is sealed.",
    grant: { expiresAt: "2026-01-01T00:00:00.000Z" },
  },
  {
    name: "denied-tool",
    description: "The tool is not in the grant: nothing is claimed, and the denial is sealed.",
    grant: { tools: [] },
  },
  {
    name: "granted-until",
    description: "The grant holds until after the turn.",
    grant: { expiresAt: "2026-01-01T00:00:00.001Z" },
  },
  {
    name: "refused-input",
    description: "The input does not match the loop's schema.",
    input: { count: "one" },
  },
  {
    name: "cancelled",
    description: "A person cancels while the tool runs.",
    act:
      (world) =>
      async (_, { signal }) => {
        await world.host.cancel(world.run, { key: "stop", by: "bob" });
        await new Promise<void>((resolve) => {
          signal.addEventListener("abort", () => resolve());
          world.clock.advance(200);
        });
        return { count: 0 };
      },
  },
  {
    name: "timed-out",
    description: "The tool does not answer before its deadline.",
    act:
      ({ clock }) =>
      () => {
        clock.advance(60_000);
        return new Promise(() => {});
      },
  },
  {
    name: "budget-exhausted",
    description: "The cap leaves no room for the claim: nothing is claimed.",
    grant: { budget: { toolCalls: 0 } },
  },
  {
    name: "superseded-claim",
    description:
      "A crash before the settlement of an idempotent tool: a second claim takes the place of the first.",
    effect: "idempotent",
    crash: settles("tool"),
  },
  {
    name: "orphaned-model-claim",
    description:
      "A crash before a model's answer is settled: the claim is counted in full, and a new one made.",
    script: ["one", "one"],
    crash: settles("model"),
  },
  {
    name: "unprocessed-request",
    description: "A request without a connection costs nothing; its retry is answered.",
    script: [{ failure: "no route" }, "one"],
    play: async ({ host, run, clock }) => {
      const driven = host.advance(run);
      for (let waited = 0; waited < 20; waited++) {
        await new Promise((resolve) => setImmediate(resolve));
        clock.advance(100);
      }
      await driven;
    },
  },
  {
    name: "reconciled-happened",
    description: "A crash before the settlement; the tool says that it happened.",
    effect: "reconcile",
    crash: settles("tool"),
    reconcile: () => ({ kind: "happened", result: { count: 1 } }),
  },
  {
    name: "reconciled-never",
    description:
      "A crash before the settlement; the tool says that it never happened, and it is done again.",
    effect: "reconcile",
    crash: settles("tool"),
    reconcile: () => ({ kind: "never" }),
  },
  {
    name: "person-says-happened",
    description:
      "A crash before the settlement of a tool that acts once; a person says that it happened.",
    effect: "once",
    crash: settles("tool"),
    play: (world) => answerUnknown(world, "happened"),
  },
  {
    name: "person-says-retry",
    description:
      "A crash before the settlement of a tool that acts once; a person lets it be done again.",
    effect: "once",
    crash: settles("tool"),
    play: (world) => answerUnknown(world, "retry"),
  },
  {
    name: "unknown",
    description:
      "A crash before the settlement of a tool that acts once; a person gives it up: the outcome is unknown.",
    effect: "once",
    crash: settles("tool"),
    play: (world) => answerUnknown(world, "abandon"),
  },
  {
    name: "waiting",
    description:
      "A turn that waits for a person has no receipt yet: its events are chained and not sealed.",
    effect: "once",
    crash: settles("tool"),
  },
  {
    name: "open-claim",
    description:
      "A cancel where the code is another: the turn is sealed with a claim that nobody knows the end of.",
    effect: "once",
    crash: settles("tool"),
    play: async (world) => {
      await drive(world, 1);
      await world.host.cancel(world.run, { key: "stop", by: "bob" });
      await drive({ ...world, host: world.otherHost });
    },
  },
];

async function answerUnknown(
  world: ScenarioWorld,
  resolution: "happened" | "retry" | "abandon",
): Promise<void> {
  await drive(world);
  const projection = await world.host.show(world.run);
  const key = projection?.openTurn?.open.find(({ isUnknown }) => isUnknown)?.key;
  if (key === undefined) throw new Error("nothing is unknown");
  const result = resolution === "happened" ? { result: { count: 1 } } : {};
  await world.host.resolve(world.run, {
    key,
    resolution,
    by: { id: "alice", roles: [] },
    ...result,
  });
  await drive(world);
}
