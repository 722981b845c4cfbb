import type { PostgresPool } from "@turnseal/adapters/postgres";
import type { Pause, Pauses } from "@turnseal/protocol";

/** How long it is relied on what the database said is paused. */
export const PAUSES_KEPT_MS = 3_000;

/** What is paused for each tenant, as the database said some seconds ago at most. */
export function recentPauses(
  pool: Pick<PostgresPool, "listPauses">,
  now: () => number = Date.now,
): (tenant: string) => Pauses {
  let known: { readonly atMs: number; readonly pauses: Promise<readonly Pause[]> } | undefined;
  const list: Pauses = () => {
    if (known !== undefined && now() - known.atMs < PAUSES_KEPT_MS) return known.pauses;
    const asked = { atMs: now(), pauses: pool.listPauses() };
    known = asked;
    // Whoever asks next is answered anew: a database that was away may be back.
    asked.pauses.catch(() => {
      if (known === asked) known = undefined;
    });
    return asked.pauses;
  };
  return (tenant) => async () =>
    (await list()).filter(({ scope, name }) => scope !== "tenant" || name === tenant);
}
