import { expect, test } from "vitest";
import { manualClock } from "../clock/manual-clock.ts";
import { findMissed } from "../find-missed.test.data.ts";
import { memoryRateLimits } from "./memory-rate-limits.ts";
import {
  IN_FLIGHT_LOOK_MS,
  LINE_LENGTH_MAX,
  type LimitAnswer,
  type LimitRequest,
  type RateLimits,
} from "./rate-limits.ts";
import { type RateLimitsSubject, rateLimitsContract } from "./rate-limits-contract.ts";

type Change = (take: RateLimits["take"], now: () => number) => RateLimits["take"];

function create(change: Change = (take) => take): RateLimitsSubject {
  const clock = manualClock();
  const { take } = memoryRateLimits(clock);
  const limits = { take: change(take, clock.now) };
  return { limits, other: limits, now: clock.now, pass: (ms) => clock.advance(ms) };
}

for (const { name, run } of rateLimitsContract({ create: () => create() })) test(name, run);

const asking = (part: (request: LimitRequest) => Partial<LimitRequest>) => () =>
  create((take) => (request) => take({ ...request, ...part(request) }));

/** Leases with a changed release. */
const releasing = (change: (release: () => void) => () => void) => () =>
  create((take) => async (request) => {
    const answer = await take(request);
    return answer.kind === "taken" ? { ...answer, release: change(answer.release) } : answer;
  });

/** Leases that are withdrawn otherwise. */
const withdrawing = (change: (answer: Lease) => Lease["withdraw"]) => () =>
  create((take) => async (request) => {
    const answer = await take(request);
    return answer.kind === "taken" ? { ...answer, withdraw: change(answer) } : answer;
  });

type Lease = Extract<LimitAnswer, { readonly kind: "taken" }>;

/** Windows that begin and end, instead of one that slides. */
function countingWindows(): RateLimitsSubject {
  let [taken, startedAtMs] = [0, 0];
  return create((_, now) => async ({ perWindow = { count: 0, windowMs: 1 } }) => {
    const { count, windowMs } = perWindow;
    if (now() >= startedAtMs + windowMs) [taken, startedAtMs] = [0, now()];
    if (taken >= count) return { kind: "full", retryAtMs: startedAtMs + windowMs };
    taken += 1;
    return { kind: "taken", release: () => {}, withdraw: () => {} };
  });
}

/** Two processes that share nothing. */
function apart(): RateLimitsSubject {
  const clock = manualClock();
  const { take } = memoryRateLimits(clock);
  const other = memoryRateLimits(clock);
  return { limits: { take }, other, now: clock.now, pass: (ms) => clock.advance(ms) };
}

/** Leases that are known by who holds them, as if there were only one of a name. */
function releasedByName(): RateLimitsSubject {
  const held = new Set<string>();
  let endsAtMs = 0;
  return create((_, now) => async ({ name, holdMs }): Promise<LimitAnswer> => {
    if (now() >= endsAtMs) held.delete(name);
    if (held.has(name)) return { kind: "full", retryAtMs: endsAtMs };
    held.add(name);
    endsAtMs = now() + holdMs;
    const release = (): void => void held.delete(name);
    return { kind: "taken", release, withdraw: release };
  });
}

const broken: Readonly<Record<string, () => RateLimitsSubject>> = {
  "no more leases are held at once than may be, whoever asks": apart,
  "a lease that is given back is free, and giving it back again frees no other": releasing(
    () => () => {},
  ),
  "a lease whose time is over is free, and was not before": asking(({ holdMs }) => ({
    holdMs: holdMs * 2,
  })),
  "giving back a lease whose time is over does not free that of another": releasedByName,
  "no more leases are taken in a window than may be, also when they are given back": () =>
    create((take) => ({ perWindow, ...request }) => {
      return take(perWindow === undefined ? request : { ...request, inFlight: perWindow.count });
    }),
  "whoever comes back when told to gets a lease": asking(() => ({ holder: String(Math.random()) })),
  "a later holder does not overtake holders that wait in line": countingWindows,
  "whoever comes back too late does not make the window fuller": countingWindows,
  "names are counted apart": asking(() => ({ name: "one for all" })),
  "who is kept waiting by one bound uses up nothing of the other": () =>
    create((take) => async (request) => {
      const { inFlight: _, ...windowed } = request;
      const counted = await take({ ...windowed, name: `${request.name} windows` });
      if (counted.kind !== "taken") return counted;
      const { perWindow: __, ...held } = request;
      return take(held);
    }),
  "a lease that is withdrawn is neither held nor counted, and withdrawing again frees no other":
    withdrawing(({ release }) => release),
  // A holder that comes back has another name each time.
  "whoever withdraws keeps the place in line": asking(() => ({ holder: String(Math.random()) })),
  "whoever withdraws and leaves the line is waited for by nobody": withdrawing(
    ({ withdraw }) =>
      () =>
        withdraw("kept"),
  ),
};

test("every sentence finds limits that do not keep it", { timeout: 60_000 }, async () => {
  expect(await findMissed(rateLimitsContract, broken)).toEqual([]);
});

const request: LimitRequest = { name: "chat", holder: "a", holdMs: 30_000 };

test("leases of others are looked for after IN_FLIGHT_LOOK_MS, or when one ends", async () => {
  const clock = manualClock();
  const { take } = memoryRateLimits(clock);
  await take({ ...request, inFlight: 1 });
  const soon = await take({ ...request, inFlight: 1 });
  expect(soon).toEqual({ kind: "full", retryAtMs: clock.now() + IN_FLIGHT_LOOK_MS });
  clock.advance(29_900);
  expect(await take({ ...request, inFlight: 1 })).toMatchObject({ retryAtMs: clock.now() + 100 });
});

test("LINE_LENGTH_MAX stand in line for a window; more are told to come after them", async () => {
  const { take } = memoryRateLimits(manualClock());
  const perWindow = { count: 1, windowMs: 10 };
  await take({ ...request, perWindow });
  let last: LimitAnswer | undefined;
  for (let place = 0; place < LINE_LENGTH_MAX; place++)
    last = await take({ ...request, holder: `waits ${place}`, perWindow });
  const lastAtMs = last?.kind === "full" ? last.retryAtMs : 0;
  for (const holder of ["one more", "another"])
    expect(await take({ ...request, holder, perWindow })).toEqual({
      kind: "full",
      retryAtMs: lastAtMs + 10,
    });
});

test("who asks for no bound is given a lease", async () => {
  const { take } = memoryRateLimits(manualClock());
  for (let count = 0; count < 100; count++)
    expect(await take(request)).toMatchObject({ kind: "taken" });
});
