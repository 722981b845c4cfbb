/**
 * Answers calls of a turn with what equal calls gave (spec/context.md §8).
 *
 * 1. A hit is an event. A recorded hit is used again without asking a cache.
 * 2. A call that began without a hit is carried out. An entry is written only after all events of
 *    the call are in the log, so no resume finds the entry of an earlier attempt.
 * 3. A cache that a node names answers within its turn: while the files that the tool read under
 *    its root are the same; of a tool that read none, until something other than a read is claimed.
 * 4. A cache that is away, slow or broken is a miss, and fails nothing.
 */
import type { BlobStore, CacheEntry, CallCache, Clock } from "@turnseal/ports";
import type {
  CacheSpec,
  Grant,
  JsonObject,
  JsonValue,
  KeptCalls,
  LoopEvent,
} from "@turnseal/protocol";
import { listFiles } from "@turnseal/protocol/files";
import type { CheckedLoop } from "../definition/check-loop.ts";
import { keptAs, keptCallsOf, keptMsOf } from "../definition/kept-calls.ts";
import { judgeStep } from "../gate/judge-step.ts";
import { runBounded } from "../journal/run-bounded.ts";
import { CACHE_ANSWER_MS_MAX, CACHED_BYTES_MAX } from "../limits.ts";
import type { Appender } from "../log/appender.ts";
import { holdBlobs } from "../log/hold-blobs.ts";
import type { RunArtifacts } from "../log/run-artifacts.ts";
import { type Outcome, succeed } from "../outcome.ts";
import { awaitReplay } from "../resume/await-replay.ts";
import { type Frame, follow } from "../resume/frame.ts";
import { drifted, type RecordedTurn } from "../resume/recorded-turn.ts";
import type { Action } from "../step/action.ts";
import { ownerOf, type TurnAuthority } from "../step/step.ts";
import { hasActedSince } from "./has-acted-since.ts";
import { mayRemember } from "./may-remember.ts";
import {
  type CallSurroundings,
  describeCall,
  measureReach,
  nameCall,
  type Reach,
} from "./name-call.ts";
import { areSame, type SeenFile, type SeenFiles } from "./seen-files.ts";

/** An index of calls, the key of its names, and where what calls gave is read. */
export interface KeyedCalls {
  readonly index: CallCache;
  readonly blobs: Pick<BlobStore, "read" | "readKey" | "put">;
  readonly key: () => Promise<Uint8Array>;
}

/** The caches by strategy. Without one, calls of that strategy are not stored. */
export type CallIndexes = Readonly<Partial<Record<KeptCalls, KeyedCalls>>>;

export interface CallCaches {
  /** Returns the result of an equal call; undefined if this one has to run. */
  recall(asked: RecalledCall): Promise<Outcome<JsonValue> | undefined>;
  /** Takes note of a file that a call read. */
  noteRead(call: string, file: SeenFile): void;
  /** Keeps the output of a call that was carried out, if others may have it. */
  remember(frame: Frame, output: JsonValue): Promise<void>;
}

export interface RecalledCall {
  readonly frame: Frame;
  readonly loop: CheckedLoop;
  readonly input: JsonValue;
  /** Of a tool: its action, which the rules have to allow. */
  readonly action?: Action;
}

export interface CacheOptions extends CallSurroundings {
  readonly run: string;
  readonly turn: number;
  readonly appender: Appender;
  readonly recorded: RecordedTurn;
  readonly clock: Clock;
  readonly signal: AbortSignal;
  readonly authority: Pick<TurnAuthority, "judge">;
  /** True where rules judge what tools do. */
  readonly hasRules: boolean;
  readonly indexes: CallIndexes | undefined;
  readonly artifacts: RunArtifacts;
  /** The events of the turn so far. */
  readonly events: () => readonly LoopEvent[];
}

/** A call that is being made, and under what it is kept. */
interface Made {
  readonly loop: CheckedLoop;
  readonly asked: JsonObject;
  readonly reach: Reach;
  readonly cache: CacheSpec;
  readonly strategy: KeptCalls;
  /** True where the node of the call names the cache: then only this turn answers it. */
  readonly isOfTurn: boolean;
}

export function createCallCaches(options: CacheOptions): CallCaches {
  const { appender, recorded } = options;
  const reaches = new Map<CheckedLoop, Reach>();
  const made = new Map<string, Made>();
  const seen: SeenFiles = new Map();
  const reachOf = (loop: CheckedLoop): Reach => {
    const reach = reaches.get(loop) ?? measureReach(loop, options);
    reaches.set(loop, reach);
    return reach;
  };
  return {
    recall: async (called) => {
      const { frame, loop } = called;
      const isOfTurn = keptCallsOf(loop.definition) === undefined;
      const cache = isOfTurn ? frame.cache : loop.definition.policy?.cache;
      const strategy = keptAs(cache);
      if (cache === undefined || strategy === undefined) return undefined;
      const reach = reachOf(loop);
      const { run, turn } = options;
      const asked = {
        ...describeCall({ ...called, grant: frame.grant }, reach, options),
        ...(isOfTurn ? { within: { run, turn } } : {}),
      };
      const key = appender.content.seal(asked).digest;
      const hit = recorded.takeHit(frame.call);
      if (hit !== undefined) {
        if (hit.content.key !== key)
          throw drifted(`event ${hit.sequence} answers another call than the code now makes`);
        follow(frame, hit);
        return succeed(await appender.content.read(hit.content.result));
      }
      const call: Made = { loop, asked, reach, cache, strategy, isOfTurn };
      if (!mayShare(call, options)) return undefined;
      made.set(frame.call, call);
      if (recorded.hasMore(frame.call)) return undefined;
      if (!(await awaitReplay({ recorded, frame }))) return { kind: "paused" };
      if (frame.branch.isBehind() || !mayUse(call, called, options)) return undefined;
      const found = await findFresh(call, seen, options);
      // Things went on meanwhile.
      if (found === undefined || !mayUse(call, called, options)) return undefined;
      made.delete(frame.call);
      const event = appender.push(() => ({
        ...ownerOf({ turn: options.turn, frame }),
        type: "cache.hit",
        content: { key, strategy, from: found.entry.from, ...pickTool(called) },
        attached: { result: found.given },
      }));
      follow(frame, event);
      return succeed(found.given);
    },
    noteRead: (call, file) => {
      const files = seen.get(call);
      if (files !== undefined) files.push(file);
      else if (made.has(call)) seen.set(call, [file]);
    },
    remember: async (frame, output) => {
      const call = made.get(frame.call);
      const index = call && options.indexes?.[call.strategy];
      made.delete(frame.call);
      if (call === undefined || index === undefined) return;
      if (!mayRemember(frame.call, options.events())) return;
      const blob = appender.content.seal(output);
      // A file is one of its own run, and would not be found in another.
      if (blob.size > CACHED_BYTES_MAX || listFiles(output, 1).length > 0) return;
      await appender.flush();
      const nowMs = nowOf(options);
      await inTime(options, async () => {
        await index.blobs.put(options.run, blob);
        const entry: CacheEntry = {
          name: nameCall(await index.key(), call.asked, call.reach),
          from: { run: options.run, turn: options.turn, call: frame.call },
          digest: blob.digest,
          expiresAtMs: nowMs + keptMsOf(call.cache),
        };
        await index.index.put(entry, nowMs);
      });
    },
  };
}

/** The rules' decisions on a prompt's tools are not known before it asks for them. */
function mayShare({ loop, reach }: Made, { hasRules }: CacheOptions): boolean {
  const isPrompt = loop.definition.kind === "prompt";
  return reach.isPure && !(isPrompt && reach.hasTools && hasRules);
}

/** Whether the call might have been made now. */
function mayUse({ reach }: Made, { frame, action }: RecalledCall, options: CacheOptions): boolean {
  if (frame.isCancelled()) return false;
  if (reach.hasTools && hasExpired(frame.grant, nowOf(options))) return false;
  return action === undefined || judgeStep({ ...options, frame, action }).kind === "allowed";
}

/** Whether something that a grant allows has ended, which the writer of an entry still had. */
function hasExpired(grant: Grant | undefined, nowMs: number): boolean {
  const ends = [grant, ...(grant?.terms ?? [])].map((part) => part?.expiresAt);
  return ends.some((end) => end !== undefined && !(nowMs < Date.parse(end)));
}

/** Finds the output of an equal call, if nothing has changed it since, where that counts. */
async function findFresh(
  call: Made,
  seen: SeenFiles,
  options: CacheOptions,
): Promise<Found | undefined> {
  const found = await findGiven(call, options);
  if (found === undefined || !call.isOfTurn) return found;
  const giver = found.entry.from.call;
  const files = seen.get(giver);
  if (files !== undefined) {
    const isSame = await inTime(options, () => areSame(files, options.artifacts));
    return isSame === true ? found : undefined;
  }
  // Another worker read the files: what it saw there is not known here.
  return hasRoot(call, options) || hasActedSince(giver, options.events()) ? undefined : found;
}

function hasRoot({ loop: { definition } }: Made, { tools }: CacheOptions): boolean {
  const { tool, version } = definition;
  return tool !== undefined && tools.find(tool.implementation, version)?.artifacts !== undefined;
}

interface Found {
  readonly entry: CacheEntry;
  readonly given: JsonValue;
}

/** Finds the output that the call's entry names, if it still exists and fits the loop. */
async function findGiven(
  { loop, asked, reach, strategy }: Made,
  options: CacheOptions,
): Promise<Found | undefined> {
  const calls = options.indexes?.[strategy];
  if (calls === undefined) return undefined;
  return inTime(options, async () => {
    const name = nameCall(await calls.key(), asked, reach);
    const entry = await calls.index.find(name, nowOf(options));
    if (entry === undefined) return undefined;
    const bytes = await holdBlobs(calls.blobs).read(entry.from.run, entry.digest);
    if (bytes === undefined) return undefined;
    const given = JSON.parse(new TextDecoder().decode(bytes)) as JsonValue;
    return loop.validateOutput(given).problems.length === 0 ? { entry, given } : undefined;
  });
}

/** A cache has a moment to answer; undefined where it has not. */
async function inTime<Value>(
  options: Pick<CacheOptions, "clock" | "signal">,
  ask: () => Promise<Value>,
): Promise<Value | undefined> {
  const { clock, signal } = options;
  const deadlineAt = clock.now() + CACHE_ANSWER_MS_MAX;
  const answer = await runBounded({ clock, deadlineAt, signal }, ask);
  return answer.kind === "done" ? answer.value : undefined;
}

function pickTool({ loop }: RecalledCall): { readonly tool?: string } {
  const { tool } = loop.definition;
  return tool === undefined ? {} : { tool: tool.implementation };
}

/** Time as the log has it: it never goes back. */
function nowOf({ clock, appender }: Pick<CacheOptions, "clock" | "appender">): number {
  return Math.max(clock.now(), appender.lastMs());
}
