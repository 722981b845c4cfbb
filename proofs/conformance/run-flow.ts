/** One agent's flow, executed from what its modules give: each of its steps is a run. */
import type { FlowRequest } from "@turnseal/conformance/program";
import type { LocalHost } from "@turnseal/host";
import { createActionLayer, type RuntimeModuleRegistry, runSingleAgentFlow } from "@turnseal/mplp";
import { type Clock, InMemoryVSL, seededIds } from "@turnseal/ports";
import { type Grant, isPlainObject, type JsonObject, type JsonValue } from "@turnseal/protocol";
import { checkInvariants, INVARIANTS, type Invariant } from "@turnseal/protocol/graph";
import { describeMplp } from "./describe-mplp.ts";

type Answer = Readonly<Record<string, unknown>>;

/** Executes a flow, and returns the result. */
export async function runFlow(
  { context, plan, confirm, actions, grant, invariants = [] }: FlowRequest,
  { host, clock }: { readonly host: LocalHost; readonly clock: Clock },
): Promise<Answer> {
  const runs: { step: string; run: string; status: string }[] = [];
  let step = "";
  const ael = createActionLayer({
    loops: host.registry.list(),
    start: { grant: grant as unknown as Grant, bounds: { turnsMax: 1 } },
    read: (action) => {
      step = isPlainObject(action) ? String(action["step_id"]) : "";
      const bound = Object.hasOwn(actions, step) ? actions[step] : undefined;
      if (bound === undefined) throw new Error(`nothing carries out the step ${step}`);
      return { ...bound, key: step };
    },
    host: {
      run: async (loop, input, options) => {
        const outcome = await host.run(loop, input, options);
        runs.push({ step, run: outcome.run, status: outcome.status });
        return outcome;
      },
    },
  });
  const ids = { runId: "flow" };
  const {
    success,
    error,
    events = [],
    output = {},
  } = await runSingleAgentFlow({
    ...{ flow: {}, ael, vsl: new InMemoryVSL(), clock, ids: seededIds("flow"), invariants },
    modules: toModules({ context, plan, confirm }),
    runtimeContext: { ids, coordination: { ids, metadata: {} }, events: [] },
  });
  return {
    ...{ success, ...(error === undefined ? {} : { error }), output, runs },
    ...describeMplp(events),
    broken: success === true ? listBroken(output, invariants) : [],
  };
}

function toModules(given: Readonly<Record<string, JsonValue | undefined>>): RuntimeModuleRegistry {
  return Object.fromEntries(
    Object.entries(given)
      .filter(([, output]) => output !== undefined)
      .map(([name, output]) => [name, async () => ({ output: output as JsonValue, events: [] })]),
  );
}

/** The invariants that do not hold of what it gives: its own, and the common ones about it. */
function listBroken(output: JsonObject, own: readonly Invariant[]): readonly string[] {
  const common = [...INVARIANTS["single-agent"], ...INVARIANTS.global].filter(({ scope }) =>
    Object.hasOwn(output, scope),
  );
  const checked = checkInvariants([...common, ...own], output);
  return checked.kind === "unreadable" ? [checked.id] : checked.violations.map(({ id }) => id);
}
