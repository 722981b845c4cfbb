import type { LeaseAnswer, LeaseHolder, RunLease, RunLeases } from "./run-leases.ts";

export interface LeaseOwner extends Pick<LeaseHolder, "pid" | "machine"> {
  /** False once the process of the owner has ended. */
  readonly isAlive: () => boolean;
}

/** Leases that the owners of one memory share. */
export type MemoryLeases = Map<string, { readonly holder: LeaseHolder; readonly of: LeaseOwner }>;

/** The in-memory reference: of one process, unless owners are passed. */
export function memoryRunLeases(
  leases: MemoryLeases = new Map(),
  of: LeaseOwner = { pid: 0, machine: "memory", isAlive: () => true },
): RunLeases {
  const find = (run: string) => {
    const known = leases.get(run);
    return known?.of.isAlive() === true ? known : undefined;
  };
  return {
    read: async (run) => find(run)?.holder,
    take: async (run, { force = false } = {}): Promise<LeaseAnswer> => {
      const known = find(run);
      if (known !== undefined && !force) return { kind: "held", holder: known.holder };
      const now = new Date().toISOString();
      const { pid, machine } = of;
      const own = { of, holder: { pid, machine, takenAt: now, heartbeatAt: now } };
      leases.set(run, own);
      const release: RunLease["release"] = async () => {
        if (leases.get(run) === own) leases.delete(run);
      };
      return { kind: "taken", lease: { release } };
    },
  };
}
