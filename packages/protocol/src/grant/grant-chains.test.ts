/**
 * No descendant can do what its ancestor could not. Tried with every request of a small world,
 * through admission and caps and never by the comparison that made the chain.
 *
 * `GRANT_CHAINS=20000 npx vitest run packages/protocol/src/grant/grant-chains.test.ts` is the whole
 * of it.
 */
import { expect, test } from "vitest";
import { findExcess } from "../budget/budget.ts";
import { admit } from "./admit.ts";
import { attenuate, checkProof } from "./attenuate.ts";
import type { Grant } from "./grant.ts";
import { askFor, listAttempts, listSpends, makeGrant, rollDice } from "./grant-chains.test.data.ts";

const CHAINS = Number(process.env["GRANT_CHAINS"] ?? 100);
const attempts = listAttempts();
const spends = listSpends();

/**
 * The result of every attempt: the number of approvals that it takes, or undefined if it is denied.
 */
interface Power {
  readonly admitted: readonly (number | undefined)[];
  readonly spendable: readonly boolean[];
}

function tryOut(grant: Grant): Power {
  const at = "2029-12-31T12:00:00.000Z";
  return {
    admitted: attempts.map(({ tool, needs, nowMs, holds }) => {
      const judge = (condition: string) => holds.includes(condition);
      const admission = admit(grant, { tool, needs }, nowMs, judge);
      return admission.kind === "admitted" ? admission.approvals.length : undefined;
    }),
    spendable: spends.map(
      ({ spending, wanted }) => findExcess(grant, spending, { wanted, at }) === undefined,
    ),
  };
}

interface Tried {
  readonly grant: Grant;
  readonly power: Power;
}

function tried(grant: Grant): Tried {
  return { grant, power: tryOut(grant) };
}

/** The attempts that the child can make and the parent cannot. */
function findGains(child: Tried, parent: Tried): unknown[] {
  const gained = attempts.filter((_, index) => {
    const [now, before] = [child.power.admitted[index], parent.power.admitted[index]];
    return now !== undefined && (before === undefined || (now === 0 && before > 0));
  });
  const { spendable } = parent.power;
  const spent = spends.filter((_, index) => child.power.spendable[index] && !spendable[index]);
  const { handoffs = [], depth = 0 } = parent.grant;
  const handed = (child.grant.handoffs ?? []).filter((loop) => !handoffs.includes(loop));
  return [...gained, ...spent, ...handed, ...((child.grant.depth ?? 0) > depth ? ["depth"] : [])];
}

interface Tally {
  asked: number;
  given: number;
  /** Attempts that the last grant of each chain still allows. */
  left: number;
}

function followChain(seed: number, tally: Tally): void {
  const dice = rollDice(seed);
  const root = tried(makeGrant(dice));
  let parent = root;
  for (let length = 1; length < 5; ) {
    const attenuation = attenuate(parent.grant, askFor(dice, parent.grant));
    tally.asked += 1;
    if (attenuation.kind === "refused") continue;
    tally.given += 1;
    length += 1;
    const { grant, proof } = attenuation;
    expect(checkProof(proof, grant, parent.grant).kind).toBe("proven");
    const child = tried(grant);
    expect(findGains(child, parent), `seed ${seed}, grant ${length}`).toEqual([]);
    expect(findGains(child, root), `seed ${seed}, grant ${length}`).toEqual([]);
    parent = child;
  }
  tally.left += parent.power.admitted.filter((approvals) => approvals !== undefined).length;
}

const timeout = 60_000 + CHAINS * 100;
test(`in ${CHAINS} chains of five grants nobody gains anything`, { timeout }, () => {
  const tally: Tally = { asked: 0, given: 0, left: 0 };
  for (let seed = 0; seed < CHAINS; seed++) followChain(seed, tally);
  const share = tally.given / tally.asked;
  // The test is worth something only if grants are wide, and something is left at the end.
  expect(share).toBeGreaterThan(0.2);
  expect(share).toBeLessThan(0.9);
  expect(tally.left).toBeGreaterThan(CHAINS);
  if (CHAINS >= 1_000)
    console.log(`${tally.asked} asked, ${Math.round(100 * share)} % given, ${tally.left} left`);
});

test("what is refused is often because something would be gained", () => {
  let [refused, gaining] = [0, 0];
  for (let seed = 0; seed < 50; seed++) {
    const dice = rollDice(seed);
    const [child, parent] = [makeGrant(dice), makeGrant(dice)];
    if (attenuate(parent, child).kind === "attenuated") continue;
    refused += 1;
    if (findGains(tried(child), tried(parent)).length > 0) gaining += 1;
  }
  expect(refused).toBeGreaterThan(25);
  expect(gaining / refused).toBeGreaterThan(0.5);
});
