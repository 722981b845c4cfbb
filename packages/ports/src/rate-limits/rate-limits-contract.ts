import { strict as assert } from "node:assert";
import { bindContract, type ContractCase, type ContractOptions } from "../contract.ts";
import type { LimitAnswer, LimitRequest, RateLimits } from "./rate-limits.ts";

export interface RateLimitsSubject {
  /** Two that share what they count: of one process, or of two workers. */
  readonly limits: RateLimits;
  readonly other: RateLimits;
  readonly now: () => number;
  /** Lets time pass, for both. */
  readonly pass: (ms: number) => void | Promise<void>;
}

/** The contract of every rate limiter. */
export function rateLimitsContract(options: ContractOptions<RateLimitsSubject>): ContractCase[] {
  return bindContract(sentences, options);
}

const HOLD_MS = 30_000;
const WINDOW_MS = 60_000;

const sentences: Readonly<Record<string, (subject: RateLimitsSubject) => Promise<void>>> = {
  "no more leases are held at once than may be, whoever asks": async ({ limits, other, now }) => {
    const endsAtMs = now() + HOLD_MS;
    await takeAll([limits, other, limits], atOnce(3));
    for (const asked of [limits, other]) {
      const retryAtMs = readFull(await asked.take(atOnce(3)));
      assert.ok(retryAtMs > now() && retryAtMs <= endsAtMs, String(retryAtMs - now()));
    }
  },
  "a lease that is given back is free, and giving it back again frees no other": async (
    subject,
  ) => {
    const { limits, other } = subject;
    const [first] = await takeAll([limits, other], atOnce(2));
    first?.release();
    first?.release();
    await settled(async () => (await other.take(atOnce(2))).kind === "taken");
    readFull(await limits.take(atOnce(2)));
  },
  "a lease whose time is over is free, and was not before": async ({ limits, other, pass }) => {
    await takeAll([limits], atOnce(1));
    await pass(HOLD_MS - 1);
    readFull(await other.take(atOnce(1)));
    await pass(1);
    await takeAll([other], atOnce(1));
  },
  "giving back a lease whose time is over does not free that of another": async (subject) => {
    const { limits, other, pass } = subject;
    const [late] = await takeAll([limits], atOnce(1));
    await pass(HOLD_MS);
    await takeAll([other], atOnce(1));
    late?.release();
    await pass(1);
    readFull(await limits.take(atOnce(1)));
  },
  "no more leases are taken in a window than may be, also when they are given back": async ({
    limits,
    other,
    now,
    pass,
  }) => {
    const beganAtMs = now();
    const leases = await takeAll([limits, other], within(3));
    await pass(WINDOW_MS / 2);
    leases.push(...(await takeAll([limits], within(3))));
    for (const { release } of leases) release();
    const retryAtMs = readFull(await other.take({ ...within(3), holder: "late" }));
    assert.equal(retryAtMs, beganAtMs + WINDOW_MS);
  },
  "whoever comes back when told to gets a lease": async ({ limits, other, now, pass }) => {
    await takeAll([limits], within(1));
    const back = { ...within(1), holder: "back" };
    const retryAtMs = readFull(await other.take(back));
    await pass(retryAtMs - now() - 1);
    assert.equal(readFull(await limits.take(back)), retryAtMs);
    await pass(1);
    await takeAll([limits], back);
  },
  "a later holder does not overtake holders that wait in line": async (subject) => {
    const { limits, other, now, pass } = subject;
    await takeAll([limits], within(1));
    const first = { ...within(1), holder: "first" };
    const retryAtMs = readFull(await limits.take(first));
    await pass(retryAtMs - now());
    const laterAtMs = readFull(await other.take({ ...within(1), holder: "later" }));
    assert.equal(laterAtMs, retryAtMs + WINDOW_MS);
    await takeAll([limits], first);
  },
  "whoever comes back too late does not make the window fuller": async (subject) => {
    const { limits, other, now, pass } = subject;
    const [first, second] = ["first", "second"].map((holder) => ({ ...within(1), holder }));
    assert.ok(first !== undefined && second !== undefined);
    await takeAll([limits], within(1));
    readFull(await limits.take(first));
    const secondAtMs = readFull(await other.take(second));
    await pass(secondAtMs - now() - 1);
    await takeAll([limits], first);
    await pass(1);
    assert.equal(readFull(await other.take(second)), now() - 1 + WINDOW_MS);
  },
  "names are counted apart": async ({ limits, other }) => {
    await takeAll([limits], { ...atOnce(1), ...within(1) });
    readFull(await other.take({ ...atOnce(1), ...within(1) }));
    await takeAll([other], { ...atOnce(1), ...within(1), name: "another name" });
  },
  "who is kept waiting by one bound uses up nothing of the other": async (subject) => {
    const { limits, other } = subject;
    const both = { ...atOnce(1), ...within(2) };
    const [first] = await takeAll([limits], both);
    for (let look = 0; look < 3; look++) readFull(await other.take(both));
    first?.release();
    await settled(async () => (await other.take(both)).kind === "taken");
  },
  "a lease that is withdrawn is neither held nor counted, and withdrawing again frees no other":
    async ({ limits, other }) => {
      const both = { ...atOnce(2), ...within(2) };
      const [first] = await takeAll([limits, other], both);
      first?.withdraw("kept");
      first?.withdraw("kept");
      await settled(async () => (await other.take(both)).kind === "taken");
      readFull(await limits.take(both));
      readFull(await limits.take({ ...both, inFlight: 9 }));
    },
  "whoever withdraws keeps the place in line": async ({ limits, other, now, pass }) => {
    const [first] = await takeAll([limits], { ...within(1), holder: "first" });
    const withdrawnAtMs = now();
    first?.withdraw("kept");
    await pass(1);
    const later = { ...within(1), holder: "later" };
    assert.equal(readFull(await other.take(later)), withdrawnAtMs + WINDOW_MS);
    await takeAll([limits], { ...within(1), holder: "first" });
    await pass(WINDOW_MS - 1);
    assert.equal(readFull(await other.take(later)), now() + 1);
  },
  "whoever withdraws and leaves the line is waited for by nobody": async ({ limits, other }) => {
    const [first] = await takeAll([limits], { ...within(1), holder: "first" });
    first?.withdraw("left");
    first?.withdraw("left");
    const later = { ...within(1), holder: "later" };
    await settled(async () => (await other.take(later)).kind === "taken");
    readFull(await limits.take({ ...within(1), holder: "first" }));
  },
};

const asked = { name: "a name: with {signs}", holder: "somebody", holdMs: HOLD_MS };

function atOnce(inFlight: number): LimitRequest {
  return { ...asked, inFlight };
}

function within(count: number): LimitRequest {
  return { ...asked, perWindow: { count, windowMs: WINDOW_MS } };
}

type Lease = Extract<LimitAnswer, { readonly kind: "taken" }>;

async function takeAll(from: readonly RateLimits[], request: LimitRequest): Promise<Lease[]> {
  const leases: Lease[] = [];
  for (const limits of from) {
    const answer = await limits.take(request);
    if (answer.kind !== "taken") assert.fail(`a lease was ${answer.kind}`);
    leases.push(answer);
  }
  return leases;
}

function readFull(answer: LimitAnswer): number {
  if (answer.kind !== "full") assert.fail(`a lease was ${answer.kind}`);
  assert.ok(Number.isSafeInteger(answer.retryAtMs));
  return answer.retryAtMs;
}

/** How long a released lease may be on its way. */
const RELEASE_MS_MAX = 1_000;

async function settled(isTrue: () => Promise<boolean>): Promise<void> {
  const startedAt = performance.now();
  while (!(await isTrue())) {
    if (performance.now() - startedAt > RELEASE_MS_MAX) assert.fail("it was not given back");
    await new Promise((resolve) => setTimeout(resolve, 1));
  }
}
