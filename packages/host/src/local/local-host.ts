/** The local host: one process that tells runs things, reads them and drives them. */
import type { Loop } from "@turnseal/protocol/authoring";
import { bindHost, type HostOptions } from "../bind-host.ts";
import type { StartOptions } from "../messages/start-message.ts";
import { clientOf, type RunClient, type RunClientOptions } from "./run-client.ts";
import { driverOf, type RunDriver } from "./run-driver.ts";
import { type RunOutcome, readOutcome } from "./run-outcome.ts";

export interface LocalHostOptions extends HostOptions, Pick<RunClientOptions, "put"> {}

export interface LocalHost extends RunClient, RunDriver {
  /** Starts a run, drives it until it stops or waits, and says what came of it. */
  run<Input, Output>(
    loop: Loop<Input, Output>,
    input: Input,
    options: StartOptions,
  ): Promise<RunOutcome<Output>>;
  /** Goes on with a run of the loop, after somebody's word or another process. */
  resume<Output>(loop: Loop<never, Output>, run: string): Promise<RunOutcome<Output>>;
}

/** Binds loops, stores and a signer into a host. */
export function createLocalHost(options: LocalHostOptions): LocalHost {
  const ports = bindHost(options);
  const client = clientOf(ports, options);
  const driver = driverOf(ports);
  const resume: LocalHost["resume"] = async (loop, run) =>
    readOutcome(client, loop, { run, advanced: await driver.drive(run) });
  return {
    ...client,
    ...driver,
    resume,
    run: async (loop, input, start) => resume(loop, await client.start(loop, input, start)),
  };
}
