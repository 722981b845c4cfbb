import type { PostgresPool } from "@turnseal/adapters/postgres";
import type { Pause, Pauses } from "@turnseal/protocol";

/** How long the database's answer on pauses is valid. */
export const PAUSES_KEPT_MS = 3_000;

/** The pauses of each tenant, at most some seconds old. */
export function recentPauses(
  pool: Pick<PostgresPool, "listPauses">,
  now: () => number = Date.now,
): (tenant: string) => Pauses {
  let known: { readonly atMs: number; readonly pauses: Promise<readonly Pause[]> } | undefined;
  const list: Pauses = () => {
    if (known !== undefined && now() - known.atMs < PAUSES_KEPT_MS) return known.pauses;
    const asked = { atMs: now(), pauses: pool.listPauses() };
    known = asked;
    // A failed read is not kept: the database may be back at the next one.
    asked.pauses.catch(() => {
      if (known === asked) known = undefined;
    });
    return asked.pauses;
  };
  return (tenant) => async () =>
    (await list()).filter(({ scope, name }) => scope !== "tenant" || name === tenant);
}
