import type { Clock } from "@turnseal/ports";
import { createScratchStore, type ScratchStore } from "@turnseal/testing/world";

/** The stores of several tenants; one is in use. */
export interface TenantStores extends ScratchStore {
  /** From then on it is about this tenant. */
  use(tenant: string): void;
}

export function createTenantStores(clock: Clock, isDurable: boolean): TenantStores {
  const scratches = new Map<string, ScratchStore>();
  let tenant = "";
  const current = (): ScratchStore => {
    const store = scratches.get(tenant) ?? createScratchStore(clock, isDurable);
    scratches.set(tenant, store);
    return store;
  };
  return {
    open: () => current().open(),
    close: () => current().close(),
    remove: () => {
      for (const store of scratches.values()) store.remove();
    },
    use: (name) => {
      tenant = name;
    },
  };
}
