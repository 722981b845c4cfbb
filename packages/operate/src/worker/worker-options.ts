import type { HostOptions } from "@turnseal/host";
import type { RunTiming } from "@turnseal/host/restate";
import type { Observer, Stores } from "@turnseal/ports";
import type { LiveParts, OpenedLive } from "./open-live.ts";
import type { TenantFilesOptions } from "./tenants/tenant-files.ts";
import type { WorkerLog } from "./worker-log.ts";

type OfTenant = "stores" | "turnLimits" | "observers" | "tenant" | "onObserverFailed";

export interface WorkerOptions extends RunTiming {
  /** Everything that a host is bound from, but what each tenant has of its own. */
  readonly host: Omit<HostOptions, OfTenant | keyof LiveParts>;
  /** The live parts between processes; without it each is on its own. */
  readonly live?: Pick<OpenedLive, "forTenant" | "isUp">;
  /** Whose runs it executes. Without it, those of every tenant that the database names. */
  readonly tenants?: readonly string[];
  /** Where each tenant has what is its own: key, rules and secrets. Without it, the worker's. */
  readonly tenantFiles?: TenantFilesOptions;
  readonly postgres: string;
  /** Refuses a database that can lose what it has acknowledged. */
  readonly production?: boolean;
  readonly withoutStandby?: boolean;
  /** The address where it listens; without a port, on a free one. */
  readonly bind?: string;
  readonly port?: number;
  /** True if several workers share a port, and the system deals connections out among them. */
  readonly sharesPort?: boolean;
  readonly doorPort?: number;
  /**
   * The engines that it listens to. With none, any client that reaches the port can have runs
   * driven.
   */
  readonly identityKeys: readonly string[];
  readonly slots?: number;
  /** Connections to the database for all tenants. By default they follow from the slots. */
  readonly connectionsMax?: number;
  /** The address of the engine's administration, which knows whether this worker is in use. */
  readonly admin?: string;
  /** How the engine reaches this worker. */
  readonly advertise?: string;
  /**
   * How long the event loop of the process may stand still before the process is ended, with
   * `STALLED_EXIT_CODE`. Without it, or with 0, it is not watched.
   */
  readonly stallMaxMs?: number;
  readonly log?: WorkerLog;
  /** Hear what the runs of all served tenants do, besides the worker's metrics and its log. */
  readonly observers?: readonly Observer[];
  /** Wraps a tenant's stores, to count their use. */
  readonly watch?: (stores: Stores) => Stores;
}
