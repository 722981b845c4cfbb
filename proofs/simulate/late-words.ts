/**
 * People's messages once all runs are over. For each action with an unknown end, the first valid
 * resolution is recorded. No other event follows a stop.
 */

import { listUnknown, type UnknownClaim } from "@turnseal/folds";
import { createRunClient, type RunClient, resolveMessage } from "@turnseal/host";
import { type Stores, seededIds } from "@turnseal/ports";
import { createAttempt } from "./attempt.ts";
import { PEOPLE } from "./people.ts";
import type { Place } from "./places.ts";
import type { World } from "./world.ts";

/** Has everything said that can be, by two people at once, and by somebody who may not. */
export async function speakLate(world: World): Promise<void> {
  for (const place of world.places.all()) {
    const projection = place.watch.projection();
    if (projection.stopped === null) continue;
    const stores = watchStores(world, place);
    const { clock } = world;
    const client = createRunClient({ loops: [], stores, clock, ids: seededIds(place.run) });
    for (const claim of listUnknown(projection)) await speakOf(claim, { world, place, client });
  }
}

interface Speaking {
  readonly world: World;
  readonly place: Place;
  readonly client: RunClient;
}

async function speakOf(claim: UnknownClaim, { world, place, client }: Speaking): Promise<void> {
  const { stores, outside, random, promises } = world;
  const { key, role, excluded } = claim;
  const may = ({ id, roles }: (typeof PEOPLE)[number]): boolean =>
    (role === null || roles.includes(role)) && !excluded.includes(id);
  const [able, others] = [PEOPLE.filter(may), PEOPLE.filter((person) => !may(person))];
  const resolution =
    outside.timesDone(key) > 0 ? "happened" : random.chance(0.5) ? "never" : "abandon";
  // Past the door: it does not count, and is in nobody's way.
  for (const by of others)
    await stores.inbox.put(resolveMessage(place.run, claim, { resolution, by }));
  const cancel = {
    run: place.run,
    key: `late ${key}`,
    kind: "cancel",
    body: { by: "ada" },
  } as const;
  await stores.inbox.put(cancel);
  const speakers = able.slice(0, 2);
  const told = await Promise.allSettled(
    speakers.map((by) => client.resolve(place.run, { key, resolution, by })),
  );
  const heard = told.filter(({ status }) => status === "fulfilled").length;
  promises.hold(
    heard === Math.min(1, able.length),
    `${heard} people are told that theirs is the word that counts`,
  );
  const isLeft = listUnknown(place.watch.projection()).some(({ hash }) => hash === claim.hash);
  promises.hold(isLeft === (able.length === 0), "a word on an unknown action is not taken in");
}

/** The stores of the world, with every append held against the promises. */
function watchStores({ stores, clock }: World, place: Place): Stores {
  const attempt = createAttempt(
    { worker: 0, run: place.run, today: undefined, lack: undefined },
    clock,
  );
  return {
    ...stores,
    log: {
      ...stores.log,
      takeEpoch: async (run) => {
        const taken = await stores.log.takeEpoch(run);
        place.ownerEpoch = taken.epoch;
        attempt.epoch = taken.epoch;
        return taken;
      },
      append: async (append) => {
        const answer = await stores.log.append(append);
        if (answer.kind === "appended") place.watch.onAppend(attempt, append, place.ownerEpoch);
        return answer;
      },
    },
  };
}
