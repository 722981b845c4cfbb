/** Runs that an honest kernel could have written, with the runs that they started. */
import {
  digestOf,
  type Grant,
  type JsonObject,
  listUnits,
  type RawEvent,
  uuidFrom,
} from "@turnseal/protocol";
import { DEMO_KEY } from "@turnseal/protocol/receipts";
import type { Random } from "../fuzz/random.ts";
import type { Draft, Link, RunDraft, TreeDraft } from "./draft.ts";
import { type Action, claim, PLAIN_ACTIONS, settle } from "./honest-actions.ts";
import { endCall, recall } from "./honest-calls.ts";
import { giveGrant, LOOPS, maybe, narrow, requestPart } from "./honest-grants.ts";
import { speakLate } from "./honest-late.ts";
import { answerTool, approveTool, askQuestion } from "./honest-people.ts";
import {
  BOUNDS,
  createWriter,
  HOST,
  type Place,
  person,
  placeOf,
  plainDigest,
  type RunWriter,
  reference,
} from "./run-writer.ts";

/** The budget of a run, by the number of runs above it. */
const ROOM = [100_000, 1_000, 50] as const;
const START_MS = Date.parse("2026-03-01T08:00:00.000Z");
const NINETY_DAYS_MS = 90 * 86_400_000;

interface Family {
  readonly random: Random;
  /** Every run, in the order of the case. */
  readonly runs: RunDraft[];
  /** How many runs may stand below the first. */
  readonly levels: number;
  readonly name: string;
}

interface Birth {
  readonly run: string;
  readonly loop: string;
  readonly level: number;
  readonly grant: Grant;
  readonly startMs: number;
  readonly policy: JsonObject;
  readonly starters: readonly string[];
  /** The claim that started it. */
  readonly parent?: string;
}

/** A tree of runs; with no levels it is one run. */
export function makeHonestTree(random: Random, name: string, levels: number): TreeDraft {
  const family: Family = { random, runs: [], levels, name };
  const grant = giveGrant(random, new Date(START_MS + NINETY_DAYS_MS).toISOString());
  const policy = maybe(random, { policy: { name: "rules", digest: plainDigest("policy") } });
  const run = uuidFrom(`${name}\nroot`);
  const start = { loop: "desk", level: 0, startMs: START_MS, starters: [] };
  makeRun(family, { run, grant, policy, ...start });
  return family.runs;
}

function makeRun(family: Family, birth: Birth): void {
  const { random } = family;
  const writer = createWriter(random, birth.run, birth.startMs);
  const place = family.runs.length;
  family.runs.push({ run: birth.run, events: writer.events });
  const guidance = random.next() < 0.3 ? [documentOf("tone.md"), documentOf("facts.md")] : [];
  const starter = random.next() < 0.5 && birth.parent === undefined ? person("ada") : HOST;
  const started = writer.add("run.started", startOf(birth, guidance), {
    actor: starter,
    links: birth.parent === undefined ? {} : { "spec.parent": { of: birth.parent, as: "claim" } },
  });
  let going: Going = { id: started, by: starter };
  const turns = 1 + random.below(birth.level === 0 ? 3 : 2);
  for (let turn = 1; turn <= turns; turn++) {
    going = decide(writer, going);
    const starters = listStarters([starter, going.by], birth.starters);
    makeTurn(family, writer, { birth, turn, going, starters, guidance });
  }
  end(writer);
  speakLate(writer);
  family.runs[place] = { run: birth.run, events: writer.events };
}

/** What set the next turn going. */
interface Going {
  readonly id: string;
  readonly by: RawEvent["actor"];
}

/** A loop whose calls may be answered from a cache. */
const KEPT = {
  add: { id: "add", version: "1.0.0", digest: plainDigest("loop"), cache: "ephemeral" },
};

function startOf(
  { loop, grant, policy, starters }: Birth,
  guidance: readonly JsonObject[],
): JsonObject {
  return {
    key: "start",
    input: reference("input"),
    spec: {
      ...{ loop, version: "1.0.0", pinned: KEPT, bounds: BOUNDS, ...policy },
      grant: grant as unknown as JsonObject,
      ...(guidance.length === 0 ? {} : { guidance }),
      ...(starters.length === 0 ? {} : { starters }),
    },
  };
}

function documentOf(ref: string): JsonObject {
  return { ref, digest: plainDigest(ref), size: 12, mediaType: "text/markdown" };
}

/** A decision to go on, now and then because of a signal. */
function decide(writer: RunWriter, before: Going): Going {
  if (writer.random.next() < 0.7) {
    writer.add(
      "run.decided",
      { decision: "continue", reason: "goal-not-reached", receipt: null },
      { actor: HOST },
    );
    return before;
  }
  const by = writer.random.next() < 0.6 ? person("bob") : HOST;
  const payload = reference("news");
  const said = { kind: "signal", key: writer.name("key"), receivedAt: writer.now(), payload };
  const id = writer.add("signal.received", { ...said, name: "news" }, { actor: by });
  writer.add(
    "run.decided",
    {
      ...{ decision: "continue", reason: "signal-received", receipt: null },
      signal: { name: "news", payload, by: { ...by } },
    },
    {
      actor: HOST,
      links: {
        "signal.sequence": { of: id, as: "sequence" },
        "signal.hash": { of: id, as: "hash" },
      },
    },
  );
  return { id, by };
}

function listStarters(actors: readonly RawEvent["actor"][], above: readonly string[]): string[] {
  const people = actors.flatMap(({ kind, id }) => (kind === "person" ? [id] : []));
  return [...new Set([...above, ...people])];
}

interface TurnFacts {
  readonly birth: Birth;
  readonly turn: number;
  readonly going: Going;
  readonly starters: readonly string[];
  readonly guidance: readonly JsonObject[];
}

function makeTurn(family: Family, writer: RunWriter, facts: TurnFacts): void {
  const { birth, turn, going, starters, guidance } = facts;
  const { random } = writer;
  const links: Record<string, Link> = {
    ...(birth.parent === undefined ? {} : { parent: { of: birth.parent, as: "claim" } }),
    ...(random.next() < 0.9 ? { trigger: { of: going.id, as: "trigger" } } : {}),
  };
  const given = guidance.map(({ ref: _, ...document }) => document);
  const content: JsonObject = {
    ...{ semantics: 7, key: `${birth.run}:${turn}`, loop: birth.loop, version: "1.0.0" },
    ...{ grant: birth.grant as unknown as JsonObject, input: reference("input"), spending: {} },
    ...(given.length === 0 ? {} : { guidance: [...given, reference("summary")] }),
    ...(starters.length === 0 ? {} : { starters }),
    ...("policy" in birth.policy ? { rules: { pinned: plainDigest("policy") } } : {}),
  };
  writer.add("turn.started", content, { turn, links });
  const place = { turn, call: writer.name("call"), grant: birth.grant, starters };
  const { loop } = birth;
  const wanted = random.next() < 0.8;
  const isGood = makeCall(family, writer, { place, birth, loop, nesting: 0, isGood: wanted });
  const outcome = isGood
    ? { outcome: "completed", output: reference("out") }
    : { outcome: "failed", reason: "TOOL_FAILED" };
  const key = { id: DEMO_KEY.keyId, issuer: DEMO_KEY.issuer };
  writer.add("turn.closed", { ...outcome, spending: {}, key }, { turn });
}

interface CallFacts {
  readonly place: Place;
  readonly birth: Birth;
  readonly loop: string;
  readonly nesting: number;
  readonly content?: JsonObject;
  readonly isGood: boolean;
}

const actions: readonly Action[] = [...PLAIN_ACTIONS, approveTool, askQuestion, answerTool];

/** Answers whether the call was completed. */
function makeCall(family: Family, writer: RunWriter, facts: CallFacts): boolean {
  const { place, birth, nesting, isGood, content = {} } = facts;
  const { random } = writer;
  const loop = {
    loop: facts.loop,
    version: "1.0.0",
    digest: plainDigest("loop"),
  };
  writer.add("call.started", { ...loop, ...content }, placeOf(place));
  writer.add("call.input.validated", { durationMs: 0 }, placeOf(place));
  if (loop.loop === "add" && random.next() < 0.3) {
    recall(writer, place);
    return endCall(writer, place, isGood);
  }
  const count = random.below(birth.level === 0 ? 4 : 3);
  for (let done = 0; done < count; done++) random.pick(actions)(writer, place);
  if (birth.level < family.levels && random.next() < 0.7) handOff(family, writer, place, birth);
  if (nesting < 2 && random.next() < 0.5) {
    const part =
      random.next() < 0.6 ? narrow(place.grant, requestPart(random, place.grant)) : undefined;
    const { turn, call: parentCall, starters } = place;
    const inner = { turn, call: writer.name("call"), parentCall, starters };
    const [child, below] = [inner.call, random.pick(["desk", "add"])];
    writer.add("child.started", { child, loop: below, step: 0 }, placeOf(place));
    const isWell = makeCall(family, writer, {
      place: { ...inner, grant: part?.grant ?? place.grant },
      birth,
      ...{ loop: below, nesting: nesting + 1, isGood: random.next() < 0.8 },
      ...(part === undefined ? {} : { content: part.content }),
    });
    const status = isWell ? "ok" : "error";
    writer.add("child.completed", { child, status }, placeOf(place));
  }
  return endCall(writer, place, isGood);
}

/** A run is started with a part of the grant, and reports its end if it has one. */
function handOff(family: Family, writer: RunWriter, place: Place, birth: Birth): void {
  const { random } = writer;
  const { grant, starters } = place;
  const target = random.pick(LOOPS);
  const levels = (grant.depth ?? 3) - 1;
  if (levels < 0 || !(grant.handoffs ?? []).includes(target)) return;
  const room = ROOM[birth.level + 1] ?? 1;
  // A slice has a cap on everything that is counted by period.
  const capped = [grant.budget, ...Object.values(grant.perPeriod ?? {})];
  // Every action takes time, also those that count in no other capped unit.
  const budget = Object.fromEntries(
    listUnits(...capped).map((unit) => [unit, unit === "activeMs" ? 4 * room : room]),
  );
  const part = narrow(grant, { ...requestPart(random, grant), depth: levels, budget });
  if (part === undefined) return;
  const child = writer.name("child");
  const facts = {
    ...{ action: "handoff", effect: "idempotent", target, child, key: writer.name("key") },
    ...maybe(random, { targetVersion: "1.0.0" }),
    ...{ digest: reference("handoff")["digest"] ?? "", bounds: BOUNDS },
    ...{ request: reference("request"), slice: digestOf(part.grant), committed: true },
    ...{ reserve: { ...budget, handoffs: 1 }, ...part.content },
  };
  const claimed = claim(writer, place, facts);
  const startMs = Date.parse(writer.now());
  const { policy } = birth;
  const made = { run: child, loop: target, level: birth.level + 1, startMs, policy, starters };
  makeRun(family, { ...made, grant: part.grant, parent: claimed.id });
  if (random.next() < 0.85) settle(writer, place, claimed, { child });
}

function end(writer: RunWriter): void {
  writer.add(
    "run.decided",
    { decision: "stop", reason: "goal-reached", receipt: null },
    { actor: HOST },
  );
  writer.add("run.stopped", { reason: "goal-reached" }, { actor: HOST });
}

/** The events of a run up to somewhere in its last turn. */
export function leaveOpen(random: Random, events: readonly Draft[]): readonly Draft[] {
  const last = events.findLastIndex(({ type }) => type === "turn.closed");
  const first = events.findLastIndex(({ type }) => type === "turn.started");
  return events.slice(0, first + 1 + random.below(last - first));
}
