/**
 * A run as a test, for any test runner: stores in memory, a clock that stands still, the demo key.
 * Nothing reaches a network, and the same test gives the same bytes each time.
 */
import { collectEvents, type LocalHost } from "@turnseal/host";
import type { Model, Stores } from "@turnseal/ports";
import type { GuidanceDocument, JsonValue, LoopEvent, Policy } from "@turnseal/protocol";
import type { Loop } from "@turnseal/protocol/authoring";
import { describeRun } from "./harness/describe-run.ts";
import type { Difference } from "./harness/difference.ts";
import { driveCase } from "./harness/drive-case.ts";
import type {
  Expectation,
  Harness,
  Reply,
  RequestExpectation,
  TurnExpectation,
} from "./harness/harness.ts";
import { openWorld } from "./harness/open-world.ts";
import { compareExpectation } from "./harness/run-case.ts";

type Script = Pick<
  Harness,
  "grant" | "by" | "bounds" | "startsAt" | "tools" | "signals" | "caller"
>;

export interface TestOptions extends Script {
  /** The loops that it calls. */
  readonly loops?: readonly Loop<never, unknown>[];
  /** The answers of the model, in order, or the model itself. */
  readonly model?: readonly Reply[] | Model;
  readonly policy?: Policy;
  readonly guidance?: readonly GuidanceDocument[];
  /** The expected result: every deviation is among the differences. */
  readonly expect?: Expectation;
}

export interface TestedRun<Output> {
  readonly run: string;
  /** Why it has stopped; undefined while it waits for somebody. */
  readonly stopped: string | undefined;
  /** The output of its last turn. */
  readonly output: Output | undefined;
  readonly turns: readonly TurnExpectation[];
  /** The requests that it waits for. */
  readonly waiting: readonly RequestExpectation[];
  /** Words of the caller that were refused, by code. */
  readonly refused: readonly string[];
  /** Requests that differ from the script, and unused replies. */
  readonly differences: readonly Difference[];
  readonly events: readonly LoopEvent[];
  readonly host: LocalHost;
  readonly stores: Stores;
}

/**
 * Carries a run to its end, or to where the caller has nothing more to say. Throws where it cannot
 * be started.
 *
 * @example
 * const tested = await testRun(desk, { order: "A-17" }, {
 *   loops: [refund],
 *   grant: { grantor: "ada", tools: ["local.refund"], budget: {} },
 *   model: [{ json: { text: "It is on its way." } }],
 * });
 * assert.equal(tested.stopped, "goal-reached");
 */
export async function testRun<Input, Output>(
  loop: Loop<Input, Output>,
  input: NoInfer<Input>,
  options: TestOptions,
): Promise<TestedRun<Output>> {
  const { loops = [], model, policy, guidance = [], expect = {}, ...script } = options;
  const { id, version } = loop.definition;
  const replies = isModel(model) ? [] : (model ?? []);
  const harness: Harness = {
    ...{ ...script, name: `${id} ${version}`, loop: id, expect, model: replies },
    // The run refuses invalid JSON at its start, as it does anywhere else.
    input: input as JsonValue,
  };
  const all = [loop as Loop<never, unknown>, ...loops];
  const world = openWorld({
    ...{ script: harness, loops: all, loop: loop as Loop<never, unknown> },
    model: isModel(model) ? model : undefined,
  });
  const parts = { harness, guidance, ...(policy === undefined ? {} : { policy }) };
  const { run, refused, differences } = await driveCase(parts, world);
  const actual = { ...(await describeRun(run, world.stores)), refused: [...refused] };
  // It is described in the words of an expectation, field by field.
  const { stopped, turns = [], waiting = [] } = actual as Expectation;
  return {
    ...{ run, stopped, turns, waiting, refused, host: world.host, stores: world.stores },
    // The last turn answered by the schema from which `Output` was inferred.
    output: turns.at(-1)?.output as Output | undefined,
    differences: [...differences, ...world.differences(), ...compareExpectation(expect, actual)],
    events: await collectEvents(world.stores.log, run, 1),
  };
}

function isModel(model: TestOptions["model"]): model is Model {
  return model !== undefined && "generate" in model;
}
