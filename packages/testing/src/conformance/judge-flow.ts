/** One agent's flow, executed from inputs: what the modules of a program give, and what fails. */
import {
  InMemoryVSL,
  type RuntimeModuleRegistry,
  runSingleAgentFlow,
} from "@turnseal/host/single-agent";
import { manualClock, seededIds } from "@turnseal/ports";
import type { JsonObject, JsonValue } from "@turnseal/protocol";
import { checkInvariants, INVARIANTS } from "@turnseal/protocol/graph";

/** Executes a flow, and says what came of it without anything that differs from run to run. */
export async function judgeFlow({
  context,
  plan,
  confirm,
  failing = [],
}: JsonObject): Promise<object> {
  const executed: string[] = [];
  const ael = {
    execute: async (action: JsonValue): Promise<JsonValue> => {
      const step = String((action as JsonObject)["step_id"]);
      executed.push(step);
      if ((failing as readonly JsonValue[]).includes(step)) throw new Error("it fails");
      return { done: step };
    },
  };
  const ids = { runId: "flow" };
  const {
    success,
    error,
    events = [],
    output = {},
  } = await runSingleAgentFlow({
    ...{ flow: {}, ael, vsl: new InMemoryVSL(), clock: manualClock(), ids: seededIds("flow") },
    modules: toModules({ context, plan, confirm }),
    runtimeContext: { ids, coordination: { ids, metadata: {} }, events: [] },
  });
  const ofFamily = (family: string): readonly JsonObject[] =>
    events.filter((event) => event["event_family"] === family);
  const trace = output["trace"] as JsonObject | undefined;
  return {
    ...{ success, ...(error === undefined ? {} : { error }), executed },
    profile: events.map((event) => String(event["event_type"])).filter(isOfProfile),
    stages: ofFamily("pipeline_stage").map(({ stage_id: id, stage_status: stage, payload }) => {
      const { from_status: from, to_status: to } = payload as JsonObject;
      return [id, from, to, stage];
    }),
    updates: ofFamily("graph_update").map((event) => [
      event["event_type"],
      event["node_delta"],
      event["edge_delta"],
    ]),
    executions: ofFamily("runtime_execution").map((event) => event["status"]),
    trace: trace?.["status"] ?? null,
    traceEvents: ((trace?.["events"] ?? []) as readonly JsonObject[]).map(
      (event) => event["event_type"],
    ),
    broken: listBroken(output),
  };
}

function toModules(given: Readonly<Record<string, JsonValue | undefined>>): RuntimeModuleRegistry {
  return Object.fromEntries(
    Object.entries(given)
      .filter(([, output]) => output !== undefined)
      .map(([name, output]) => [name, async () => ({ output: output as JsonValue, events: [] })]),
  );
}

function isOfProfile(type: string): boolean {
  return type.startsWith("SA");
}

/** The invariants that what the flow gives does not hold. */
function listBroken(output: JsonObject): readonly string[] {
  const invariants = [...INVARIANTS["single-agent"], ...INVARIANTS.global].filter(({ scope }) =>
    Object.hasOwn(output, scope),
  );
  const checked = checkInvariants(invariants, output);
  return checked.kind === "unreadable" ? [checked.id] : checked.violations.map(({ id }) => id);
}
