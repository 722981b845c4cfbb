import { HostError, type LocalHost, type StartOptions } from "@turnseal/host";
import { copyJson, isPlainObject, type JsonValue, VALUE_BYTES_MAX } from "@turnseal/protocol";
import type { Loop } from "@turnseal/protocol/authoring";
import type { ActionExecutionLayer } from "./action-execution.ts";

export interface ActionLayerOptions {
  readonly host: Pick<LocalHost, "run">;
  /** The loops that may be executed, chosen by id. */
  readonly loops: readonly Loop<never, unknown>[];
  /** The start options of every action: its grant, bounds and policy. */
  readonly start: Omit<StartOptions, "key" | "message" | "files" | "forkedFrom">;
  /**
   * Turns an action of another shape, such as a step of `runSingleAgentFlow`, into a run. It gets a
   * copy. If it throws, nothing is executed and the error reaches the caller.
   */
  readonly read?: (action: JsonValue) => ActionToRun;
}

/** An action as a run. The same key executes it once. */
export interface ActionToRun {
  readonly loop: string;
  readonly input: JsonValue;
  readonly key?: string;
}

/**
 * Executes actions as runs: an action `{ loop, input, key? }` is a run of that loop, claimed in the
 * journal, held to the grant and sealed in a receipt. The same key executes it once.
 *
 * @example
 * const ael = createActionLayer({ host, loops: [pay], start: { grant } });
 * await ael.execute({ loop: "pay", input: { order: "A" }, key: "order A" });
 */
export function createActionLayer({
  host,
  loops,
  start,
  read,
}: ActionLayerOptions): ActionExecutionLayer {
  const byId = new Map(loops.map((loop) => [loop.definition.id, loop]));
  return {
    execute: async (action) => {
      const {
        loop: id,
        input,
        key,
      } = checkAction(read === undefined ? copy(action) : copy(read(copy(action))));
      const loop = byId.get(id) as Loop<JsonValue, unknown> | undefined;
      if (loop === undefined) throw new HostError("LOOP_UNKNOWN", `no action is called ${id}`);
      const outcome = await host.run(loop, input, {
        ...start,
        ...(key === undefined ? {} : { key }),
      });
      if (outcome.status === "completed") return toJson(outcome.output);
      const why = outcome.status === "stopped" ? `stopped: ${outcome.reason}` : outcome.status;
      throw new HostError("ACTION_UNFINISHED", `run ${outcome.run} of ${id} is ${why}`);
    },
  };
}

function copy(action: unknown): JsonValue {
  const copied = copyJson(action as JsonValue, VALUE_BYTES_MAX);
  if (copied.kind === "refused") throw refuse();
  return copied.value;
}

function checkAction(value: JsonValue): ActionToRun {
  if (!isPlainObject(value)) throw refuse();
  const { loop, input, key, ...others } = value;
  if (typeof loop !== "string" || input === undefined || Object.keys(others).length > 0)
    throw refuse();
  if (key !== undefined && typeof key !== "string") throw refuse();
  return { loop, input: input as JsonValue, ...(key === undefined ? {} : { key }) };
}

function refuse(): HostError {
  return new HostError("INPUT_REFUSED", "an action has a loop, an input and perhaps a key");
}

/** The output of a loop was checked against its schema, and is JSON. */
function toJson(output: unknown): JsonValue {
  return (output ?? null) as JsonValue;
}
