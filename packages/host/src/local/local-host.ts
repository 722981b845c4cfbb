/** The local host: one process that tells runs things, reads them and drives them. */
import { type LiveBus, memoryLiveBus, type Stores } from "@turnseal/ports";
import type { Loop } from "@turnseal/protocol/authoring";
import { bindGrowing, type HostOptions } from "../bind-host.ts";
import type { StartOptions } from "../messages/start-message.ts";
import { type AnswerOptions, answerRequests } from "./answer-requests.ts";
import { checkIds } from "./check-ids.ts";
import type { Driven } from "./drive-run.ts";
import { createHoldAlone, type DriveOptions } from "./hold-run-alone.ts";
import { clientOf, type RunClient, type RunClientOptions } from "./run-client.ts";
import { driverOf, type RunDriver } from "./run-driver.ts";
import { type RunOutcome, readOutcome } from "./run-outcome.ts";
import { type RunPiece, streamRun } from "./stream-run.ts";

export interface LocalHostOptions extends HostOptions, Pick<RunClientOptions, "put"> {}

export interface LiveDriveOptions extends DriveOptions {
  /** Where the run tells what it writes, in the place of the host's own. */
  readonly live?: LiveBus;
}

/** Options of `resume`. */
export interface ResumeOptions extends AnswerOptions, Pick<DriveOptions, "waitMs"> {}

export interface LocalHost extends RunClient, RunDriver {
  /** Where its runs are stored: a server reads sessions from there. */
  readonly stores: Stores;
  driveNow(run: string, options?: LiveDriveOptions): Promise<Driven>;
  /** Takes a loop that the host was not made with, and the tools and steps that it names. */
  register(loop: Loop<never, unknown>): void;
  /** Starts a run, drives it until it stops or waits, and says what came of it. */
  run<Input, Output>(
    loop: Loop<Input, Output>,
    input: Input,
    options: StartOptions & AnswerOptions,
  ): Promise<RunOutcome<Output>>;
  /**
   * Drives a run of the loop on, after a person's answer or another process. While another caller
   * drives it, this waits and gives the same outcome.
   */
  resume<Output>(
    loop: Loop<never, Output>,
    run: string,
    options?: ResumeOptions,
  ): Promise<RunOutcome<Output>>;
  /**
   * Drives a run as `drive` does and gives what it says and does on the way, piece by piece. Of a
   * run that this host drives already it only tells. A reader that leaves does not stop the run.
   */
  stream(run: string): AsyncGenerator<RunPiece, void, void>;
}

/** Binds loops, stores and a signer into a host. */
export function createLocalHost(options: LocalHostOptions): LocalHost {
  const { ports, register } = bindGrowing(options);
  // Messages to runs elsewhere go to their own drivers.
  const client = clientOf(ports, { ...options, isCarrier: options.put === undefined });
  const holdAlone = createHoldAlone(ports);
  const driver = driverOf(ports, holdAlone);
  const driving = new Map<string, Promise<unknown>>();
  const driverWith = (live: LiveBus | undefined) =>
    live === undefined ? driver : driverOf({ ...ports, live }, holdAlone);
  const drive = async (run: string, options?: DriveOptions, live?: LiveBus) => {
    const driven = driverWith(live).drive(run, options);
    driving.set(run, driven);
    try {
      return await driven;
    } finally {
      if (driving.get(run) === driven) driving.delete(run);
    }
  };
  const resume: LocalHost["resume"] = async (loop, run, { answer, ...options } = {}) => {
    const driveOn = async () =>
      readOutcome(client, loop, { run, advanced: await drive(run, options) });
    const outcome = await driveOn();
    return answer === undefined
      ? outcome
      : answerRequests(outcome, { client, answer, resume: driveOn });
  };
  const stream: LocalHost["stream"] = (run) => {
    // A live bus makes models stream, so a run only gets one with a reader.
    const { live = memoryLiveBus() } = ports;
    return streamRun(run, { ...ports, live }, () => driving.get(run) ?? drive(run, {}, live));
  };
  return checkIds({
    ...client,
    ...driver,
    stores: options.stores,
    driveNow: (run, { live, ...rest } = {}) => driverWith(live).driveNow(run, rest),
    drive: (run, options) => drive(run, options),
    register,
    resume,
    stream,
    run: async (loop, input, { answer, ...start }) => {
      const run = await client.start(loop, input, start);
      return resume(loop, run, answer === undefined ? {} : { answer });
    },
  });
}
