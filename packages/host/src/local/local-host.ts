/** The local host: one process that tells runs things, reads them and drives them. */
import { bindHost, type HostOptions } from "../bind-host.ts";
import { clientOf, type RunClient, type RunClientOptions } from "./run-client.ts";
import { driverOf, type RunDriver } from "./run-driver.ts";

export interface LocalHostOptions extends HostOptions, Pick<RunClientOptions, "put"> {}

export interface LocalHost extends RunClient, RunDriver {}

/** Binds loops, stores and a signer into a host. */
export function createLocalHost(options: LocalHostOptions): LocalHost {
  const ports = bindHost(options);
  return { ...clientOf(ports, options), ...driverOf(ports) };
}
