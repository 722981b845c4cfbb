/**
 * Looks from time to time whether observers have receipts left, which a killed worker had sealed.
 */
import type { HostPorts } from "@turnseal/host";
import { repeat } from "../../metrics/watch-health.ts";
import { createRecent } from "../tenants/create-recent.ts";

type Observed = NonNullable<HostPorts["observed"]>;

export interface OutboxWatch {
  /** Has the outbox of a tenant looked at; a new host of the tenant replaces its earlier one. */
  add(tenant: string, observed: Observed | undefined): void;
  close(): void;
}

/** How often. */
export const OUTBOX_EVERY_MS = 30_000;

export function watchOutbox(everyMs: number = OUTBOX_EVERY_MS): OutboxWatch {
  const hosts = createRecent<Observed>();
  const look = async (): Promise<void> => {
    for (const observed of hosts.list()) await observed.look();
  };
  const again = repeat(look, everyMs);
  return {
    add: (tenant, observed) => {
      hosts.get(tenant)?.close();
      if (observed !== undefined) hosts.set(tenant, observed);
    },
    close: () => {
      again.close();
      for (const observed of hosts.list()) observed.close();
    },
  };
}
