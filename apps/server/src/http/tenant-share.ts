/** A limited resource of the process: each tenant may hold a part at once. */
export interface TenantShare {
  /** Takes an amount for a tenant, which is returned once; undefined if there is no room. */
  take(tenant: string, amount: number): (() => void) | undefined;
}

export interface ShareLimits {
  readonly most: number;
  readonly tenantMost: number;
}

export function createShare({ most, tenantMost }: ShareLimits): TenantShare {
  const taken = new Map<string, number>();
  let all = 0;
  const change = (tenant: string, amount: number): void => {
    all += amount;
    const own = (taken.get(tenant) ?? 0) + amount;
    if (own === 0) taken.delete(tenant);
    else taken.set(tenant, own);
  };
  return {
    take: (tenant, amount) => {
      if (all + amount > most || (taken.get(tenant) ?? 0) + amount > tenantMost) return undefined;
      change(tenant, amount);
      let isTaken = true;
      return () => {
        if (isTaken) change(tenant, -amount);
        isTaken = false;
      };
    },
  };
}
