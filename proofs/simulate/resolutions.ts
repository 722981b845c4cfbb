/** What people say to an action whose end nobody knows, and what others say of runs that ended. */

import type { OpenClaim } from "@turnseal/folds";
import { type Identity, isClaimOf, isSettledOf, type JsonObject } from "@turnseal/protocol";
import { findAwaitedProvider } from "@turnseal/views";
import { requests as sent } from "./doers.ts";
import type { Move } from "./move.ts";
import { RESULT } from "./outside.ts";
import { hostileWords, PEOPLE, pickPerson } from "./people.ts";
import type { Place } from "./places.ts";
import type { Random } from "./random.ts";
import { tell } from "./tell.ts";
import { isUnkind, type World } from "./world.ts";

/** A person has repaired the provider. */
function askAgain(world: World, { run, watch }: Place): Move {
  const body = { by: PEOPLE[0]?.id ?? "", turn: watch.projection().turns, again: true };
  const row = { run, key: `retry ${world.step}`, kind: "retry", body } as const;
  const make = async (): Promise<void> => {
    await tell(world, () => row);
  };
  return { weight: 10, make };
}

/** A person who resolves an effect looks at the outside first, and waits while it is not clear. */
export function listResolutions(world: World, place: Place): Move[] {
  const { outside, random, attempts, step } = world;
  const projection = place.watch.projection();
  const { openTurn } = projection;
  if (findAwaitedProvider(projection) !== undefined) return [askAgain(world, place)];
  const asked = openTurn?.open.findLast(({ isUnknown }) => isUnknown);
  if (asked === undefined || openTurn?.waiting?.for !== "person")
    return listForgeries(world, place);
  const { key, hash: claimHash, role } = asked;
  const isPending = attempts.some(
    (attempt) =>
      attempt.state() !== "crashed" && attempt.gates.some((gate) => sent.get(gate)?.key === key),
  );
  if (isPending || outside.isOnItsWay(key)) return [];
  const isDone = outside.timesDone(key) > 0;
  const resolution = isDone ? "happened" : random.chance(0.93) ? "retry" : "abandon";
  const put = async (by: Identity): Promise<void> => {
    const person = { id: by.id, roles: [...by.roles] };
    const words = isDone ? hostileWords(world, "resolution") : {};
    const result = { ...(RESULT as JsonObject), ...words };
    const body = { key, claimHash, resolution, by: person, ...(isDone ? { result } : {}) };
    await tell(world, () => ({ run: place.run, key: `resolve ${step}`, kind: "resolve", body }));
  };
  const honest = { weight: 10, make: () => put(pickOther(random, asked)) };
  if (role === null || !isUnkind(world)) return [honest];
  const wrong = (): Promise<void> => {
    world.tally.count("decision resolve-wrong-role");
    return put(pickPerson(random, role, false));
  };
  return [honest, { weight: 3, make: wrong }];
}

/** Somebody who has the role, and had no hand in it. */
function pickOther(random: Random, { role, excluded }: OpenClaim): Identity {
  const able = PEOPLE.filter(
    ({ id, roles }) => (role === null || roles.includes(role)) && !excluded.includes(id),
  );
  return random.pick(able);
}

/** The result of a run that has ended, told once more under another key, and with another spend. */
function listForgeries(world: World, place: Place): Move[] {
  if (!isUnkind(world)) return [];
  const settled = place.watch.events().findLast((event) => isSettledOf("handoff", event));
  const claim = settled && place.watch.events()[settled.content.claim - 1];
  if (claim === undefined || !isClaimOf("handoff", claim)) return [];
  const put = async (): Promise<void> => {
    world.tally.count("decision result-again");
    const { child } = claim.content;
    const facts = { child, claim: claim.sequence, claimHash: claim.hash };
    const body = { ...facts, stopped: "goal-reached", spent: {}, output: { score: 99 } };
    const key = `again ${world.step}`;
    await world.stores.inbox.put({ run: place.run, key, kind: "result", body });
  };
  return [{ weight: 0.3, make: put }];
}
