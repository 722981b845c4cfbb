import { isTenant } from "@turnseal/protocol";

/** Whose run it is: part of every key. */
export interface RunKey {
  readonly tenant: string;
  readonly run: string;
}

/** An id as stores have it: with any other text each step fails, and is tried for ever. */
const keyPattern = /^([^:]*):([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})$/;

/** The key of a run in the engine. */
export function formatRunKey({ tenant, run }: RunKey): string {
  return `${tenant}:${run}`;
}

export function parseRunKey(key: string): RunKey | undefined {
  const [, tenant, run] = keyPattern.exec(key) ?? [];
  return isTenant(tenant) && run !== undefined ? { tenant, run } : undefined;
}
