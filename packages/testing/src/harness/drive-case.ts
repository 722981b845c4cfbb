/** Drives the run of a case, and sends its caller's messages whenever the run waits. */
import { isDeepStrictEqual } from "node:util";
import { listHandoffs, type OpenClaim } from "@turnseal/folds";
import type { WaitingRequest } from "@turnseal/host";
import { isLoopError, type JsonValue } from "@turnseal/protocol";
import type { Difference } from "./difference.ts";
import type { SignalWord, Word } from "./harness.ts";
import type { World } from "./open-world.ts";
import type { HarnessCase } from "./read-harness.ts";

/** The case to drive, with its rules. */
export type DrivenParts = Pick<HarnessCase, "harness" | "guidance" | "policy">;

export interface DrivenCase {
  readonly run: string;
  /** Words that were refused, by code. */
  readonly refused: readonly string[];
  /** Words that nobody waited for. */
  readonly differences: readonly Difference[];
}

/** Starts the run, drives it to its end, or to where the caller has nothing more to say. */
export async function driveCase(read: DrivenParts, world: World): Promise<DrivenCase> {
  const { harness, guidance, policy } = read;
  const run = await world.host.start(world.loop, harness.input as never, {
    grant: harness.grant,
    guidance,
    bounds: harness.bounds ?? {},
    ...(policy === undefined ? {} : { policy }),
    ...(harness.by === undefined ? {} : { by: harness.by }),
  });
  const root = { run, signals: harness.signals ?? [] };
  const refused: string[] = [];
  await drive(root, world);
  const words = harness.caller ?? [];
  for (const [index, word] of words.entries()) {
    const said = await sayWord(word, { run, world, key: `word ${index}` });
    if (said.kind === "refused") refused.push(said.code);
    if (said.kind === "not-asked") {
      const actual = said.waiting as JsonValue;
      const differences = [{ path: `/caller/${index}`, expected: word as JsonValue, actual }];
      return { run, refused, differences };
    }
    // Messages marked `atOnce` arrive together.
    if (words[index + 1]?.atOnce !== true) await drive(root, world);
  }
  return { run, refused, differences: [] };
}

interface DrivenRun {
  readonly run: string;
  readonly signals: NonNullable<HarnessCase["harness"]["signals"]>;
}

/** One turn at a time, so that signals arrive between their turns. */
async function drive({ run, signals }: DrivenRun, world: World): Promise<void> {
  const { host, clock } = world;
  for (;;) {
    const turns = (await host.show(run))?.turns ?? 0;
    for (const [index, signal] of signals.entries()) {
      const { name, payload, by } = signal;
      if (isAfter(turns)(signal)) await host.signal(run, { name, payload, by, key: String(index) });
    }
    const advanced = await world.pass(host.advance(run, { sliceMs: 0 }));
    if (advanced.dues.kind === "blocked" || advanced.projection === undefined) return;
    if (await driveHandoffs(advanced.projection, world)) continue;
    const { dues, projection } = advanced;
    // A run that waits between turns gets the signals for the next one.
    const isTold = projection.turns > turns && signals.some(isAfter(projection.turns));
    if (isTold && projection.stopped === null) continue;
    if (dues.kind === "wake") clock.pass(Math.max(0, dues.atMs - clock.now()));
    else if (dues.kind !== "continue") return;
  }
}

function isAfter(turns: number): (signal: SignalWord) => boolean {
  return ({ afterTurn = 0 }) => afterTurn === turns;
}

/** True when a run that was handed to has ended, and the one above it can go on. */
async function driveHandoffs(
  projection: Parameters<typeof listHandoffs>[0],
  world: World,
): Promise<boolean> {
  let hasEnded = false;
  for (const { child } of listHandoffs(projection)) {
    await drive({ run: child, signals: [] }, world);
    const stopped = (await world.host.show(child))?.stopped ?? null;
    hasEnded ||= stopped !== null;
  }
  return hasEnded;
}

type Said =
  | { readonly kind: "said" }
  | { readonly kind: "refused"; readonly code: string }
  | { readonly kind: "not-asked"; readonly waiting: readonly string[] };

interface WordPlace {
  readonly run: string;
  readonly world: World;
  readonly key: string;
}

async function sayWord(word: Word, { run, world, key }: WordPlace): Promise<Said> {
  const { host, clock } = world;
  const { cancel, wait } = word;
  if ((await host.show(run))?.stopped !== null) return { kind: "not-asked", waiting: [] };
  if (wait !== undefined) {
    clock.pass(wait);
    return { kind: "said" };
  }
  if (cancel !== undefined) {
    await host.cancel(run, { key, by: cancel });
    return { kind: "said" };
  }
  const waiting = await listWaiting(run, world);
  const request = waiting.requests.find((each) => isMeant(word, each));
  const unknown = waiting.unknown.find(({ claim }) => claim.name === word.resolve);
  if (request === undefined && unknown === undefined)
    return { kind: "not-asked", waiting: describeWaiting(waiting) };
  try {
    if (unknown !== undefined) await resolveUnknown(unknown, word, world);
    else if (request !== undefined) await sayTo(request, word, world);
    return { kind: "said" };
  } catch (error) {
    if (!isLoopError(error)) throw error;
    return { kind: "refused", code: error.code };
  }
}

async function sayTo(
  { run, id, kind }: WaitingRequest,
  { by, choice, reason, arguments: edited, answer }: Word,
  { host }: World,
): Promise<void> {
  const who = by ?? { id: "", roles: [] };
  if (kind === "question") {
    await host.answer(run, id, { by: who, answer: answer ?? null });
    return;
  }
  await host.decide(run, id, {
    by: who,
    choice: choice ?? "reject",
    ...(reason === undefined ? {} : { reason }),
    ...(edited === undefined ? {} : { arguments: edited }),
  });
}

async function resolveUnknown(
  { run, claim }: UnknownAction,
  { by, resolution, result }: Word,
  { host }: World,
): Promise<void> {
  await host.resolve(run, {
    key: claim.key,
    resolution: resolution ?? "abandon",
    by: by ?? { id: "", roles: [] },
    ...(result === undefined ? {} : { result }),
  });
}

interface UnknownAction {
  readonly run: string;
  readonly claim: OpenClaim;
}

interface Waiting {
  readonly requests: readonly WaitingRequest[];
  readonly unknown: readonly UnknownAction[];
}

/** Lists the open requests of a run, and of runs that it handed to. */
async function listWaiting(run: string, world: World): Promise<Waiting> {
  const { host } = world;
  const projection = await host.show(run);
  const open = projection?.openTurn?.open ?? [];
  const requests = (await host.requests(run)).filter((request) => request.kind !== "unknown");
  const unknown = open
    .filter(({ isUnknown }) => isUnknown)
    .map((claim): UnknownAction => ({ run, claim }));
  for (const { handoff } of open) {
    const below = handoff === null ? undefined : await listWaiting(handoff.child, world);
    requests.push(...(below?.requests ?? []));
    unknown.push(...(below?.unknown ?? []));
  }
  return { requests, unknown };
}

function isMeant(word: Word, { kind, name, loop, request, approvedBy }: WaitingRequest): boolean {
  const isOfKind =
    kind === "approval"
      ? word.approval === name && !approvedBy.includes(word.by?.id ?? "")
      : word.question === loop;
  return isOfKind && (word.request === undefined || isDeepStrictEqual(word.request, request));
}

function describeWaiting({ requests, unknown }: Waiting): string[] {
  return [
    ...requests.map(({ kind, name, loop }) =>
      kind === "approval" ? `approval of ${name}` : `question of ${loop}`,
    ),
    ...unknown.map(({ claim }) => `what became of ${claim.name}`),
  ];
}
