/**
 * Changes that leave every value in its form: a field, a content or a place of another event, also
 * of another run, and events in another order. Parsing finds none of them.
 */
import type { Random } from "../fuzz/random.ts";
import type { Draft } from "./draft.ts";

/** `pool` has the events of all runs of the tree. */
export type StructureSpoil = (
  events: readonly Draft[],
  random: Random,
  pool: readonly Draft[],
) => readonly Draft[];

function pickPair(
  events: readonly Draft[],
  random: Random,
  pool: readonly Draft[],
): readonly [index: number, draft: Draft, other: Draft] | undefined {
  const index = random.below(events.length);
  const draft = events[index];
  const others = pool.filter(({ type, id }) => type === draft?.type && id !== draft.id);
  if (draft === undefined || others.length === 0) return undefined;
  return [index, draft, random.pick(others)];
}

/** One field as another event of the type has it, with what it names there. */
const exchangeField: StructureSpoil = (events, random, pool) => {
  const pair = pickPair(events, random, pool);
  if (pair === undefined) return events;
  const [index, draft, other] = pair;
  const names = Object.keys({ ...draft.content, ...other.content, ...other.links });
  if (names.length === 0) return events;
  const name = random.pick(names);
  const { [name]: _, ...content } = draft.content;
  const { [name]: __, ...links } = draft.links ?? {};
  const field = other.content[name];
  const link = other.links?.[name];
  return events.with(index, {
    ...draft,
    content: field === undefined ? content : { ...content, [name]: field },
    links: link === undefined ? links : { ...links, [name]: link },
  });
};

/** All that another event of the type says. */
const exchangeContent: StructureSpoil = (events, random, pool) => {
  const pair = pickPair(events, random, pool);
  if (pair === undefined) return events;
  const [index, draft, { content, links = {} }] = pair;
  return events.with(index, { ...draft, content, links });
};

/** The turn and the calls of another event. */
const exchangePlace: StructureSpoil = (events, random, pool) => {
  const index = random.below(events.length);
  const { turn: _, call: __, parentCall: ___, ...draft } = events[index] as Draft;
  const { turn, call, parentCall } = random.pick(pool);
  return events.with(index, {
    ...draft,
    ...(turn === undefined ? {} : { turn }),
    ...(call === undefined ? {} : { call }),
    ...(parentCall === undefined ? {} : { parentCall }),
  });
};

const exchangeOrder: StructureSpoil = (events, random) => {
  const [one, other] = [random.below(events.length), random.below(events.length)];
  return events.with(one, events[other] as Draft).with(other, events[one] as Draft);
};

export const STRUCTURE_SPOILS: readonly StructureSpoil[] = [
  ...[exchangeField, exchangeField, exchangeField, exchangeField, exchangeField, exchangeField],
  ...[exchangeContent, exchangeContent, exchangePlace, exchangePlace, exchangeOrder],
];
