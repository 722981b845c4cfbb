/**
 * The body of a handoff: another run, started under a part of this one's grant (spec/run.md §10).
 *
 * The kernel claims it and reserves the whole slice; the host delivers the start, and settles the
 * claim once, from the last receipt of the other run. The id of that run follows from the key of
 * the claim, so repeated delivery starts it only once.
 */
import {
  addAmounts,
  attenuate,
  countFanout,
  digestOf,
  fanoutOf,
  type Grant,
  HANDOFF_DEPTH_DEFAULT,
  HANDOFF_TOOL,
  type HandoffFacts,
  isPlainObject,
  type JsonObject,
  type JsonValue,
  parseBounds,
} from "@turnseal/protocol";
import { deny } from "../actions/admit-tool.ts";
import { type Outcome, succeed } from "../outcome.ts";
import type { Frame } from "../resume/frame.ts";
import type { Action } from "../step/action.ts";
import type { World } from "../world.ts";
import type { BuiltIn } from "./built-in.ts";

/** Starts another run, and answers with what its last turn gave. */
export const handOff: BuiltIn = {
  name: HANDOFF_TOOL,
  // A handoff is granted by its target, which the slice decides.
  admit: () => succeed({ terms: [], approvals: [] }),
  run: async ({ loop: { definition }, spec: { config = {} }, input, frame, world }) => {
    const { grant } = frame;
    if (grant === undefined) return deny(HANDOFF_TOOL, "grant-missing");
    const cut = cutSlice(grant, config, frame.wallMs());
    if (cut.kind !== "ok") return cut;
    const given = giveThread(config["thread"], frame, world);
    if (given.kind !== "ok") return given;
    const slice = { ...cut.value, facts: { ...cut.value.facts, ...given.value } };
    const { id: loop, version } = definition;
    const action = handoffAction(slice, { input, grant, loop, version });
    const outcome = await world.effects.journal.run(frame, action);
    return outcome.kind === "ok" ? succeed(outcome.value.result) : outcome;
  },
};

/** The entries that the asking prompt was shown, if the handoff wants them. */
function giveThread(
  wanted: JsonValue | undefined,
  { asker }: Frame,
  { memory }: World,
): Outcome<Pick<HandoffFacts, "thread">> {
  if (wanted === undefined) return succeed({});
  if (wanted !== "copy") return deny(HANDOFF_TOOL, "thread-unreadable");
  const thread = asker === null ? undefined : memory?.threads.give(asker);
  return thread === undefined ? deny(HANDOFF_TOOL, "thread-missing") : succeed({ thread });
}

export interface Slice {
  readonly target: string;
  /** The facts of the claim: the started loop, and its limits. */
  readonly facts: HandoffFacts;
  readonly grant: Grant;
}

/** Cuts the part of the grant for the other run. Refuses anything that is not within the grant. */
function cutSlice(grant: Grant, config: JsonObject, nowMs: number): Outcome<Slice> {
  const { loop: target, version, grant: wanted = {} } = config;
  const bounds = parseBounds(config["bounds"] ?? {});
  if ("problem" in bounds) return deny(HANDOFF_TOOL, "bounds-unreadable");
  const lower = findLevel(grant, target, nowMs);
  if (lower.kind !== "ok") return lower;
  const depth = lower.value;
  if (typeof target !== "string") return deny(HANDOFF_TOOL, "handoff-not-granted");
  const cut = attenuate(grant, { tools: [], depth, ...(isPlainObject(wanted) ? wanted : {}) });
  if (cut.kind === "refused") return deny(HANDOFF_TOOL, "grant-widened");
  if ((cut.grant.depth ?? HANDOFF_DEPTH_DEFAULT) > depth) return deny(HANDOFF_TOOL, "depth-passed");
  if (isCrowd(grant, cut)) return deny(HANDOFF_TOOL, "grant-widened");
  return succeed({
    target,
    grant: cut.grant,
    facts: {
      action: "handoff",
      target,
      ...(typeof version === "string" ? { targetVersion: version } : {}),
      bounds,
      grant: cut.grant,
      slice: digestOf(cut.grant),
      proof: cut.proof,
    },
  });
}

/** True where its terms together let more act at the same time than their parent term. */
function isCrowd({ terms = [] }: Grant, given: Pick<HandoffFacts, "grant" | "proof">): boolean {
  const counts = countFanout(given.grant, given.proof);
  return terms.some((term) => (counts.get(term.id) ?? 0) > fanoutOf(term));
}

/** The levels that are left below a loop that may be handed to now. */
export function findLevel(
  grant: Grant,
  target: JsonValue | undefined,
  nowMs: number,
): Outcome<number> {
  const isExpired = grant.expiresAt !== undefined && !(nowMs < Date.parse(grant.expiresAt));
  if (isExpired) return deny(HANDOFF_TOOL, "grant-expired");
  if (typeof target !== "string" || !(grant.handoffs ?? []).includes(target))
    return deny(HANDOFF_TOOL, "handoff-not-granted");
  const depth = (grant.depth ?? HANDOFF_DEPTH_DEFAULT) - 1;
  return depth < 0 ? deny(HANDOFF_TOOL, "depth-passed") : succeed(depth);
}

interface Handoff {
  readonly input: JsonValue;
  readonly grant: Grant;
  readonly loop: string;
  readonly version: string;
  readonly isWanted?: boolean;
}

export function handoffAction(
  { target, facts, grant: slice }: Slice,
  { input, grant, loop, version, isWanted = true }: Handoff,
): Action {
  return {
    kind: "handoff",
    name: target,
    ordinal: 0,
    isWanted,
    // The same key starts the same run.
    effect: "idempotent",
    facts,
    request: input,
    // The other run's whole budget counts here until its actual spending is known.
    reserve: () => addAmounts(slice.budget, { handoffs: 1 }),
    attempt: { handoffs: 1 },
    judged: {
      loop,
      tool: { name: HANDOFF_TOOL, version, effect: "idempotent" },
      args: { loop: target, input },
      grant,
      needs: {},
      approvals: [],
    },
    act: async () => {
      throw new TypeError("a handoff is delivered by the host");
    },
  };
}
