/** Lets a worker into the world: it advances one run, and delivers what that run owes to others. */
import { type Advanced, advance, deliver, type HostPorts } from "@turnseal/host";
import { bindTools } from "@turnseal/kernel";
import { memorySecrets, seededIds } from "@turnseal/ports";
import { isLoopError } from "@turnseal/protocol";
import { type Attempt, createAttempt, gateStores } from "../simulate/attempt.ts";
import { bindDoers, bindModel } from "./doers.ts";
import type { Place } from "./places.ts";
import type { FlowWorld } from "./world.ts";

export function startAttempt(world: FlowWorld, place: Place, worker: number): void {
  const { clock, scenario } = world;
  const { run } = place;
  const attempt = createAttempt({ worker, run, today: undefined, lack: undefined }, clock);
  world.attempts.push(attempt);
  const ports = openPorts(world, place, attempt);
  const work = async (): Promise<Advanced> => {
    const advanced = await advance(run, ports);
    const { stores } = ports;
    if ("projection" in advanced)
      await deliver(advanced.projection, { stores, registry: scenario.loops.registry });
    return advanced;
  };
  work()
    .then(
      ({ dues }) => {
        attempt.end();
        if (dues.kind !== "blocked") return;
        place.blocked = dues.why;
        world.promises.hold(false, `the run is blocked: ${dues.why}`);
      },
      (error: unknown) => {
        attempt.end();
        const isLawful = isLoopError(error) && lawful.has(error.code);
        world.promises.hold(isLawful, `a worker fails: ${String(error)}`);
      },
    )
    // A broken promise is remembered; the simulation looks at it after the step.
    .catch(() => {});
}

/** A worker may lose its epoch or its store; any other error is a fault of ours. */
const lawful: ReadonlySet<string> = new Set(["LOG_FENCED", "STORE_FULL", "STORE_UNREACHABLE"]);

function openPorts(world: FlowWorld, place: Place, attempt: Attempt): HostPorts {
  const { scenario, places, keys, clock, stores } = world;
  const doing = { world, place, attempt };
  const signer = keys.open(clock.now());
  return {
    stores: gateStores(stores, attempt, {
      onEpoch: (epoch) => {
        place.ownerEpoch = epoch;
      },
      onAppend: (append) => {
        if (append.receipt !== undefined) world.unverified.push(append);
        place.watch.onAppend(attempt, append, place.ownerEpoch);
      },
      onPut: places.onPut,
    }),
    clock: attempt.clock,
    ids: seededIds(`${attempt.run} ${attempt.worker}`),
    signer: { ...signer, sign: (data) => attempt.pass("sign", () => signer.sign(data)) },
    registry: scenario.loops.registry,
    models: new Map([["scripted", bindModel(doing)]]),
    tools: bindTools(bindDoers(doing)),
    secrets: memorySecrets({}),
  };
}
