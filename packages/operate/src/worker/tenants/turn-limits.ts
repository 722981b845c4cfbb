/**
 * Enforces the limits of a tenant before each turn, across all workers, through the database.
 *
 * 1. A day's limit is read before a turn begins. Begun turns go on, bounded by their grants. So the
 *    limit can be passed by what the turns that run then may still spend.
 * 2. A start takes its place in a queue that is a time: the run waits until then, by its log,
 *    without further questions.
 * 3. For a tenant without limits, the database is not asked.
 */
import type { TenantLimits, TenantQuota } from "@turnseal/adapters/postgres";
import type { TurnLimits } from "@turnseal/host";

/** How long it is relied on what a tenant has spent, where this worker has added nothing. */
export const SPENT_KEPT_MS = 1_000;
/** How late a run may use its place. A later one takes another place: many may be late. */
export const PLACE_MS_MAX = 60_000;

export interface LimitParts {
  /** As the database has them, some seconds ago at most. */
  readLimits(): Promise<TenantLimits>;
  /** The latest limits; undefined if that is forgotten. */
  recentLimits(): TenantLimits | undefined;
  readonly quota: TenantQuota;
  readonly now?: () => number;
}

export interface CountedLimits extends TurnLimits {
  /** Whether what is spent counts against a limit. */
  isCounted(): boolean;
  /** Called when the spending has changed. */
  onCounted(): void;
}

type FoundLimit = Awaited<ReturnType<TurnLimits["find"]>>;
type Spent = ReturnType<TenantQuota["readSpent"]>;

export function createTurnLimits(parts: LimitParts): CountedLimits {
  const { readLimits, recentLimits, quota, now = Date.now } = parts;
  let last: TenantLimits = {};
  let known: { readonly atMs: number; readonly spent: Spent } | undefined;
  const readSpent = (): Spent => {
    if (known !== undefined && now() - known.atMs < SPENT_KEPT_MS) return known.spent;
    const spent = quota.readSpent();
    const mine = { atMs: now(), spent };
    // A database that was away may be back.
    spent.catch(() => {
      if (known === mine) known = undefined;
    });
    known = mine;
    return spent;
  };
  const takePlace = batchStarts(quota);
  return {
    isCounted: () => isCounted(recentLimits() ?? last),
    onCounted: () => {
      known = undefined;
    },
    find: async ({ isFirst, waited, findUnpriced }) => {
      last = await readLimits();
      const { startsPerSecond, ...day } = last;
      if (isCounted(day)) {
        const unpriced = day.moneyMicrosPerDay === undefined ? undefined : findUnpriced();
        if (unpriced !== undefined) return { what: `money-per-day, no price of ${unpriced}` };
        const reached = findSpent(day, await readSpent());
        if (reached !== undefined) return reached;
      }
      if (!isFirst || startsPerSecond === undefined) return undefined;
      // A place of another pace is no place.
      const what = `starts-per-second ${startsPerSecond}`;
      const untilMs = waited?.what === what ? waited.untilMs : undefined;
      if (untilMs !== undefined && now() < untilMs) return { what, untilMs };
      if (untilMs !== undefined && now() < untilMs + PLACE_MS_MAX) return undefined;
      const place = await takePlace(startsPerSecond);
      return place.atMs <= place.nowMs ? undefined : { what, untilMs: place.atMs };
    },
  };
}

function isCounted({ tokensPerDay, moneyMicrosPerDay }: TenantLimits): boolean {
  return tokensPerDay !== undefined || moneyMicrosPerDay !== undefined;
}

function findSpent(
  { tokensPerDay = Infinity, moneyMicrosPerDay = Infinity }: TenantLimits,
  { tokens, moneyMicros, endsAtMs }: Awaited<Spent>,
): FoundLimit {
  if (tokens >= tokensPerDay) return { what: "tokens-per-day", untilMs: endsAtMs };
  if (moneyMicros >= moneyMicrosPerDay) return { what: "money-per-day", untilMs: endsAtMs };
  return undefined;
}

interface Place {
  readonly atMs: number;
  readonly nowMs: number;
}

interface AskedPlace {
  readonly perSecond: number;
  resolve(place: Place): void;
  reject(error: unknown): void;
}

/**
 * However many runs start at once, one statement is under way: all workers share the row, and a
 * worker must not wait for it with all its connections.
 */
function batchStarts(quota: TenantQuota): (perSecond: number) => Promise<Place> {
  let asked: AskedPlace[] = [];
  let isAsking = false;
  const askAll = async (): Promise<void> => {
    isAsking = true;
    for (let newest = asked.at(-1); newest !== undefined; newest = asked.at(-1)) {
      const mine = asked;
      asked = [];
      // The limit may have changed since the first of them asked, and there may be no last one.
      const { perSecond } = newest;
      try {
        const { firstAtMs, nowMs } = await quota.takeStarts(mine.length, perSecond);
        for (const [at, { resolve }] of mine.entries())
          resolve({ atMs: Math.ceil(firstAtMs + (at * 1_000) / perSecond), nowMs });
      } catch (error) {
        for (const { reject } of mine) reject(error);
      }
    }
    isAsking = false;
  };
  return (perSecond) =>
    new Promise((resolve, reject) => {
      asked.push({ perSecond, resolve, reject });
      if (!isAsking) void askAll();
    });
}
