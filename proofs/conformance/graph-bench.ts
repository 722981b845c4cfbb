/** Plans that are proposed and carried out, flows of one agent, and what they come to as graphs. */
import { parseFlow, parseOfRun, parsePropose, parseRollback } from "@turnseal/conformance/program";
import { foldRun, readStateHash, readWhole } from "@turnseal/folds/graph";
import {
  collectEvents,
  hashKept,
  type LocalHost,
  type RollbackList,
  type RunClient,
  registerPlan,
} from "@turnseal/host";
import { readMplp } from "@turnseal/host/export";
import type { Stores } from "@turnseal/ports";
import {
  type Grant,
  type JsonObject,
  type Policy,
  type Problem,
  parsePlan,
} from "@turnseal/protocol";
import { passTime, type VirtualClock } from "@turnseal/testing/world";
import { describeMplp } from "./describe-mplp.ts";
import { runFlow } from "./run-flow.ts";
import { answerRefusal } from "./send-to-run.ts";

type Answer = Readonly<Record<string, unknown>>;
type Method = (params: unknown) => Promise<Answer>;

/** The bench of runs that they stand on, as it is at the moment. */
export interface GraphPlace {
  readonly clock: VirtualClock;
  live(): { readonly host: LocalHost; readonly client: RunClient };
  stores(): Stores;
}

export function graphMethods({ clock, live, stores }: GraphPlace): Record<string, Method> {
  return {
    propose: async (params) => answerRefusal(async () => propose(live().client, params)),
    flow: async (params) => {
      const flow = parseFlow(params, "flow");
      return passTime(runFlow(flow, { host: live().host, clock }), clock);
    },
    rollback: async (params) => answerRefusal(async () => rollBack(live().host, params)),
    graph: async (params) => describeGraph(stores(), parseOfRun(params, "graph").run),
    mplp: async (params) => {
      const { run } = parseOfRun(params, "mplp");
      const events: JsonObject[] = [];
      for await (const event of readMplp(stores(), run)) events.push(event);
      return { events, ...describeMplp(events) };
    },
  };
}

/** Starts the run of a plan, which waits until somebody decides. */
async function propose(client: RunClient, params: unknown): Promise<Answer> {
  const { plan, grant, policy, ...rest } = parsePropose(params, "propose");
  const parsed = parsePlan(plan);
  if (parsed.kind === "refused") return refusePlan(parsed.problems);
  const registered = registerPlan(client.registry, parsed.plan);
  if (registered.kind === "refused") return refusePlan(registered.problems);
  const run = await client.start(registered.loop, parsed.plan as never, {
    ...{ ...rest, bounds: { turnsMax: 1 }, grant: grant as unknown as Grant },
    ...(policy === undefined ? {} : { policy: policy as unknown as Policy }),
  });
  return { kind: "started", run };
}

/** Lists the effects of a run that a rollback takes back, and starts it unless `dry` is set. */
async function rollBack(host: LocalHost, params: unknown): Promise<Answer> {
  const { run, toTurn = 0, by = "ada", dry } = parseRollback(params, "rollback");
  const answer =
    dry === true ? await host.listRollback(run, toTurn) : await host.rollback(run, { by, toTurn });
  switch (answer.kind) {
    case "refused":
      return { kind: "refused", why: answer.why };
    case "known":
      return { kind: "known", rollback: answer.rollback.run, left: answer.left };
    case "listed":
      return { kind: "listed", ...describeList(answer) };
    case "nothing":
      return { kind: "nothing", ...describeList(answer.list) };
    case "proposed":
      return { kind: "started", run: answer.run, ...describeList(answer.list) };
  }
}

function describeList({ steps, left, drifted = [], checkpoint }: RollbackList): Answer {
  return {
    steps: steps.map(({ tool, undo, takesBack: { turn, input, result } }) => ({
      ...{ tool, undo, turn, input, result },
    })),
    ...{ left, drifted, checkpoint: checkpoint ?? null },
  };
}

function refusePlan(problems: readonly Problem[]): Answer {
  return { kind: "refused", problems: problems.map(({ rule, path }) => ({ rule, path })) };
}

/** The graph folded from the log, and the hash of the stored one. */
async function describeGraph({ log, graphs }: Stores, run: string): Promise<Answer> {
  const folded = foldRun(run);
  for (const event of await collectEvents(log, run, 1)) folded.follow(event);
  const { graph } = folded;
  const nodes = [...graph.entries.values()].map(({ node }) => node);
  const wholes = nodes.filter(({ owner }) => owner === undefined);
  const objects = Object.entries(Object.groupBy(wholes, ({ type }) => type)).map(
    ([type, own = []]) => [type, own.map(({ id }) => readWhole(graph, id))],
  );
  const isKept = graphs !== undefined && (await graphs.readSequence(run)) !== undefined;
  return {
    ...(Object.fromEntries(objects) as Answer),
    ...{ hash: readStateHash(graph), objections: folded.objections().length },
    kept: isKept ? (await hashKept(graphs, run)).hash : null,
  };
}
