/**
 * A lane as a virtual object of Restate, under the key of its tenant and its number.
 *
 * 1. It lets one message of its tenant through at a time, in order: what waits behind costs no
 *    worker anything, and survives every process.
 * 2. It takes no step itself. It has the run advance, and waits for that. So a tenant with as many
 *    lanes as its cap never has more steps at once, on any worker.
 * 3. A run that fails again and again leaves its lane: those behind it are not its to hold up.
 */
import {
  handlers,
  type ObjectContext,
  object,
  type Serde,
  serde,
  TerminalError,
} from "@restatedev/restate-sdk";
import { LANE_OBJECT, parseLaneKey } from "./lane-key.ts";
import { formatRunKey } from "./run-key.ts";
import { RUN_OBJECT } from "./run-object.ts";
import { ENGINE_OPTIONS } from "./run-options.ts";

/** A lane whose step takes longer than this holds nothing in a worker until it has ended. */
const INACTIVITY_MS = 5_000;

/** The object, to be bound to the endpoint that runs are bound to. */
export function createLaneObject() {
  return object({
    name: LANE_OBJECT,
    handlers: {
      pass: handlers.object.exclusive(
        { ingressPrivate: true, inactivityTimeout: INACTIVITY_MS },
        async (ctx: ObjectContext, run: string): Promise<void> => {
          const place = parseLaneKey(ctx.key);
          if (place === undefined) throw new TerminalError("no such lane", { errorCode: 404 });
          const key = formatRunKey({ tenant: place.tenant, run });
          for (let round = 0; await isStillQueued(ctx, key, round); round++);
        },
      ),
    },
    options: ENGINE_OPTIONS,
  });
}

async function isStillQueued(ctx: ObjectContext, key: string, round: number): Promise<boolean> {
  const call = ctx.genericCall<number, boolean>({
    ...{ service: RUN_OBJECT, method: "advanceFromLane", key, parameter: round },
    inputSerde: serde.json as Serde<number>,
    outputSerde: serde.json as Serde<boolean>,
  });
  try {
    return await call;
  } catch (error) {
    // No worker serves the run: the runs behind it need not wait for it.
    if (error instanceof TerminalError) return false;
    throw error;
  }
}
