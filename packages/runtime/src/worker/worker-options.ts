import type { HostOptions } from "@turnseal/host";
import type { RunTiming } from "@turnseal/host/restate";
import type { Stores } from "@turnseal/ports";
import type { LiveParts, OpenedLive } from "./open-live.ts";
import type { TenantFilesOptions } from "./tenant-files.ts";
import type { WorkerLog } from "./worker-log.ts";

export interface WorkerOptions extends RunTiming {
  /** Everything that a host is bound from, but what each tenant has of its own. */
  readonly host: Omit<HostOptions, "stores" | "turnLimits" | keyof LiveParts>;
  /** What is only live, between processes; without it each is on its own. */
  readonly live?: Pick<OpenedLive, "forTenant" | "isUp">;
  /** Whose runs it executes. Without it, those of every tenant that the database names. */
  readonly tenants?: readonly string[];
  /** Where each tenant has what is its own: key, rules and secrets. Without it, the worker's. */
  readonly tenantFiles?: TenantFilesOptions;
  readonly postgres: string;
  /** Refuses a database that can lose what it has acknowledged. */
  readonly production?: boolean;
  readonly withoutStandby?: boolean;
  /** Where it listens; without a port, on one that is free. */
  readonly bind?: string;
  readonly port?: number;
  /** True where several workers share a port, and the system deals connections out among them. */
  readonly sharesPort?: boolean;
  readonly doorPort?: number;
  /** The engines that it listens to. With none, whoever reaches the port can have runs carried. */
  readonly identityKeys: readonly string[];
  readonly slots?: number;
  /** Connections to the database for all tenants. Derived from the slots unless given. */
  readonly connectionsMax?: number;
  /** Where the engine is administered: it is asked whether this worker is the one that is used. */
  readonly admin?: string;
  /** How the engine reaches this worker. */
  readonly advertise?: string;
  /**
   * How long the event loop of the process may stand still before the process is ended, with
   * `STALLED_EXIT_CODE`. Without it, or with 0, it is not watched.
   */
  readonly stallMaxMs?: number;
  readonly log?: WorkerLog;
  /** What stands between a tenant's stores and its host, for whoever counts. */
  readonly watch?: (stores: Stores) => Stores;
}
