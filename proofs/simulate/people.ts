/**
 * What people, agents and impostors say to a run that asks: rightly, wrongly, twice, too late, to
 * the wrong run, and against each other.
 */

import type { OpenRequest } from "@turnseal/folds";
import {
  type AnswerToSend,
  answerMessage,
  type DecisionToSend,
  decideMessage,
} from "@turnseal/host";
import type { InboxMessage } from "@turnseal/ports";
import { canonicalize, type Identity, type JsonObject, type JsonValue } from "@turnseal/protocol";
import { CANARY } from "./canary.ts";
import { drawHostile, type Speaker } from "./hostile-values.ts";
import { isToolInput } from "./loops.ts";
import type { Move } from "./move.ts";
import type { Place } from "./places.ts";
import type { Random } from "./random.ts";
import type { Decision } from "./tally.ts";
import { tell } from "./tell.ts";
import { isUnkind, type World } from "./world.ts";

export const PEOPLE: readonly Identity[] = [
  { id: "ada", roles: ["finance"] },
  { id: "bob", roles: ["finance", "support"] },
  { id: "cyd", roles: ["support"] },
  { id: "dan", roles: ["finance", "support"] },
  { id: "eve", roles: [] },
];
const nobody: Identity = { id: "", roles: ["finance", "support"] };
const agent: Identity = { id: "agent-7", roles: ["support"] };

/** Somebody who has a role, or somebody who has not. */
export function pickPerson(random: Random, role: string | null, has: boolean): Identity {
  return random.pick(PEOPLE.filter(({ roles }) => (role === null || roles.includes(role)) === has));
}

interface Asked {
  readonly world: World;
  readonly place: Place;
  readonly request: OpenRequest;
  readonly args: JsonValue;
}

type Word = readonly [Decision, number, (asked: Asked) => Promise<void>];

/** Lists possible answers to all open requests of a run. */
export async function listDecisions(world: World, place: Place): Promise<Move[]> {
  const moves: Move[] = [];
  const requests = place.watch.projection().openTurn?.asked ?? [];
  // People take their time.
  const { clock, random } = world;
  if (requests.length > 0)
    moves.push({ weight: 1.5, make: () => clock.advance(random.between(1_000, 30_000)) });
  for (const request of requests) {
    const asked = { world, place, request, args: await readRequest(world, place, request) };
    const words = request.kind === "approval" ? approvalWords(asked) : questionWords(asked);
    for (const [decision, weight, say] of words)
      moves.push({
        weight,
        make: () => {
          world.tally.count(`decision ${decision}`);
          return say(asked);
        },
      });
  }
  return moves;
}

async function readRequest(
  { stores }: World,
  { run }: Place,
  { request }: OpenRequest,
): Promise<JsonValue> {
  const bytes = request === null ? undefined : await stores.blobs.read(run, request.digest);
  return bytes === undefined ? null : JSON.parse(new TextDecoder().decode(bytes));
}

function approvalWords({ world, request }: Asked): Word[] {
  const { role, approvedBy, excluded } = request;
  const isFresh = ({ id }: Identity): boolean => !approvedBy.includes(id);
  const fit = PEOPLE.filter(
    (person) => (role === null || person.roles.includes(role)) && isFresh(person),
  );
  const able = fit.filter(({ id }) => !excluded.includes(id));
  const honest: Word[] = [
    ["reject", 0.5, (asked) => decide(asked, "reject", world.random.pick(fit))],
    ["edit", 0.8, (asked) => edit(asked, world.random.pick(fit), world.random.below(1_001))],
  ];
  // Where everybody had a hand in it, it can only run out.
  if (able.length > 0)
    honest.push(["approve", 7, (asked) => decide(asked, "approve", world.random.pick(able))]);
  return isUnkind(world) ? [...honest, ...unkindWords(request, able)] : honest;
}

/** Every message must be taken, and only valid ones may count. */
function unkindWords(
  { role, approvedBy, excluded }: OpenRequest,
  able: readonly Identity[],
): Word[] {
  const [one = nobody, other = nobody] = able;
  const again = PEOPLE.find(({ id }) => approvedBy.includes(id));
  const words: Word[] = [
    ["approve-nobody", 0.4, (asked) => decide(asked, "approve", nobody)],
    ["approve-elsewhere", 0.5, sayElsewhere],
    ["approve-other", 0.4, sayToAnother],
    ["choice-unknown", 0.3, (asked) => decide(asked, "approved", one)],
    ["edit-wrong", 0.4, (asked) => edit(asked, one, -1)],
    ["approve-late", 0.3, sayLate],
    [
      "approve-twice",
      0.8,
      async (asked) => {
        await decide(asked, "approve", one);
        await decide(asked, "approve", one);
      },
    ],
    [
      "approve-both",
      0.8,
      async (asked) => {
        await decide(asked, "approve", one);
        await decide(asked, "approve", other);
      },
    ],
    [
      "approve-and-reject",
      0.4,
      async (asked) => {
        const [first, second] = asked.world.random.pick([
          ["approve", "reject"],
          ["reject", "approve"],
        ] as const);
        await decide(asked, first, one);
        await decide(asked, second, other);
      },
    ],
  ];
  if (role !== null)
    words.push([
      "approve-wrong-role",
      0.6,
      (asked) => decide(asked, "approve", pickPerson(asked.world.random, role, false)),
    ]);
  const [barred] = PEOPLE.filter(({ id }) => excluded.includes(id));
  if (barred !== undefined)
    words.push(["approve-excluded", 4, (asked) => decide(asked, "approve", barred)]);
  if (again !== undefined)
    words.push(["approve-again", 2, (asked) => decide(asked, "approve", again, "again")]);
  return words;
}

function questionWords({ world, request }: Asked): Word[] {
  const { role, name, decideBy } = request;
  const isForAgent = name === "agent";
  const by = isForAgent ? agent : pickPerson(world.random, role, true);
  const words = { words: CANARY, ...hostileWords(world, "answer") };
  const right: JsonObject = { answer: world.random.below(100), ...words };
  const honest: Word[] = [
    [isForAgent ? "answer-agent" : "answer", 6, (asked) => answer(asked, right, by)],
  ];
  if (!isUnkind(world)) return honest;
  const wrong: Word[] = [
    ["answer-wrong-shape", 0.8, (asked) => answer(asked, { answer: "many" }, by)],
  ];
  if (role !== null)
    wrong.push([
      "answer-wrong-role",
      0.6,
      (asked) => answer(asked, right, pickPerson(world.random, role, false)),
    ]);
  if (decideBy !== null)
    wrong.push([
      "answer-late",
      0.6,
      async (asked) => {
        passDeadline(asked);
        await answer(asked, right, by);
      },
    ]);
  return [...honest, ...wrong];
}

async function decide(asked: Asked, choice: string, by: Identity, again = ""): Promise<void> {
  const { place, request } = asked;
  const decision = { choice, by, reason: CANARY } as DecisionToSend;
  const write = (): InboxMessage => {
    const message = decideMessage(place.run, request, decision);
    return { ...message, key: `${message.key}${again}` };
  };
  await say(asked, write, { choice, by, fits: true });
}

async function edit(asked: Asked, by: Identity, cents: number): Promise<void> {
  const { world, place, request, args } = asked;
  const words = hostileWords(world, "edit");
  const edited: JsonObject = { ...(args as JsonObject), cents, ...words };
  const decision: DecisionToSend = { choice: "edit", by, arguments: edited };
  // A handoff's input may be anything.
  const fits = isToolInput(edited) || request.loop.startsWith("delegate");
  const write = () => decideMessage(place.run, request, decision);
  await say(asked, write, { choice: "edit", by, fits });
}

async function answer(asked: Asked, value: JsonValue, by: Identity): Promise<void> {
  const { place, request } = asked;
  const toSend: AnswerToSend = { answer: value, by };
  const fits = Number.isSafeInteger((value as JsonObject)["answer"]);
  const write = () => answerMessage(place.run, request, toSend);
  await say(asked, write, { choice: undefined, by, fits });
}

/** A decision that is about this request, in the inbox of another run. */
async function sayElsewhere(asked: Asked): Promise<void> {
  const { world, place, request } = asked;
  const others = world.places.all().filter((other) => other !== place);
  const to = others.length === 0 ? place : world.random.pick(others);
  const by = pickPerson(world.random, request.role, true);
  const write = () => decideMessage(to.run, request, { choice: "approve", by });
  await say({ ...asked, place: to }, write, { choice: "approve", by, fits: true });
}

/** A decision about a request that does not exist, or no more. */
async function sayToAnother(asked: Asked): Promise<void> {
  const { world, place, request } = asked;
  const by = pickPerson(world.random, request.role, true);
  const hash = `${request.hash.slice(0, -1)}${request.hash.endsWith("0") ? "1" : "0"}`;
  const other: OpenRequest = { ...request, hash };
  const write = () => decideMessage(place.run, other, { choice: "approve", by });
  await say({ ...asked, request: other }, write, { choice: "approve", by, fits: true });
}

async function sayLate(asked: Asked): Promise<void> {
  passDeadline(asked);
  await decide(asked, "approve", pickPerson(asked.world.random, asked.request.role, true));
}

function passDeadline({ world: { clock, random }, request: { decideBy } }: Asked): void {
  const leftMs = Date.parse(decideBy ?? "") - clock.now();
  clock.advance(Math.max(0, leftMs) + random.between(1, 5_000));
}

export function hostileWords(world: World, speaker: Speaker): JsonObject {
  // People come to their senses when the world does.
  return isUnkind(world) ? drawHostile({ ...world, ...world.scenario }, speaker) : {};
}

interface Saying {
  readonly choice: string | undefined;
  readonly by: Identity;
  readonly fits: boolean;
}

async function say(
  { world, place, request, args }: Asked,
  write: () => InboxMessage,
  { choice, by, fits }: Saying,
): Promise<void> {
  const receivedAt = new Date(world.clock.now()).toISOString();
  const shown = canonicalize(args);
  const stored = await tell(world, write);
  if (stored === "stored")
    world.said.push({ run: place.run, about: request.hash, choice, by, receivedAt, shown, fits });
}
