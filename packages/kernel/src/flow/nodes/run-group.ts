/**
 * A sequence that is an effect group (spec/flow.md §8): its calls are claimed before any of them
 * acts. Then all are done, or all are taken back, or a person is asked.
 *
 * 1. The log decides: a resume commits, releases and takes back as before.
 * 2. From the commit on a cancel waits: begun members are carried to their end.
 */
import { invariant, type JsonValue } from "@turnseal/protocol";
import { peopleOf } from "@turnseal/protocol/receipts";
import { commitGroup } from "../../actions/commit-group.ts";
import type { CheckedCall } from "../../definition/flow/checked-node.ts";
import { type HeldMember, type Hold, type OpenHold, openHold, type Undos } from "../../hold.ts";
import { type Failed, fail, type Outcome, type Paused, succeed } from "../../outcome.ts";
import { failChild, prepareChild } from "../prepare-child.ts";
import { createStepResult } from "../step-result.ts";
import { endGroup } from "./end-group.ts";
import { findUndos } from "./find-undos.ts";
import {
  type FlowParts,
  type Gave,
  type NodePlace,
  placeInside,
  type RunFlowParts,
} from "./node.ts";
import { mapKnown } from "./read-known.ts";

/** A member whose call is open. */
interface Member {
  readonly node: CheckedCall;
  readonly index: number;
  readonly call: string;
  readonly hold: OpenHold;
  readonly result: Promise<Outcome<JsonValue>>;
}

/** Returns the results of the members, in their order. */
export async function runGroup(
  members: readonly CheckedCall[],
  place: NodePlace,
  given: FlowParts,
): Promise<Outcome<readonly Gave[]>> {
  const { world } = given;
  if (world.kind === "call") return deny("a group needs a run", "run-missing");
  // A fan-out can stop its items in the middle.
  if (place.frame.branch.stop !== undefined)
    return deny("a group cannot be one of what runs beside each other", "group-in-fan-out");
  const parts: RunFlowParts = { ...given, world };
  const open: Member[] = [];
  const held: HeldMember[] = [];
  const undos = findUndos(members, place, parts);
  for (const [index, node] of members.entries()) {
    const toBegin = { node, index, left: members.length - index, kept: undos.each };
    const began = await beginMember(toBegin, place, parts);
    if (began.kind !== "ok") {
      if (began.kind === "paused") return began;
      return giveUp(began, open, place, parts);
    }
    open.push(began.value.member);
    held.push(began.value.held);
  }
  const committed = await commit(held, undos, place, parts);
  if (committed.kind === "paused") return committed;
  if (committed.kind === "error") return giveUp(committed, open, place, parts);
  return releaseAll(open, place, parts);
}

function deny(message: string, denial: string): Failed {
  return fail("POLICY_DENIED", message, { denial });
}

interface ToBegin {
  readonly node: CheckedCall;
  readonly index: number;
  readonly left: number;
  readonly kept: Hold["kept"];
}

interface Begun {
  readonly member: Member;
  readonly held: HeldMember;
}

/** Calls a member, and goes on when it is held, or has ended without that. */
async function beginMember(
  { node, index, left, kept }: ToBegin,
  place: NodePlace,
  parts: RunFlowParts,
): Promise<Outcome<Begun>> {
  const { frame } = place;
  const at = placeInside(place, `/nodes/${index}`);
  const map = (mapping: CheckedCall["mapping"], of: string) => mapKnown(mapping, place, of);
  const where = { index, what: at.path, path: at.path, place: at.place, map };
  const child = prepareChild(node, where, { frame, world: parts.world });
  if (child.kind !== "ok") return child;
  const { call, loop } = child.value;
  if (loop.definition.kind !== "tool")
    return fail("POLICY_DENIED", `${node.loopId} is not a tool`, { denial: "group-member" });
  await frame.catchUp(call);
  const started = { child: call, loop: node.loopId, step: index, path: at.path };
  frame.record({ type: "child.started", content: started });
  const hold = openHold({ path: place.path, left, kept });
  const { branch, recorder, deadlineAt } = frame;
  const result = parts.callChild({ ...child.value, branch, recorder, deadlineAt, hold });
  // A rejection is reported where the result is taken.
  result.catch(() => {});
  const member = { node, index, call, hold, result };
  const first = await Promise.race([hold.held, result]);
  if ("claim" in first) return succeed({ member, held: first });
  const ended = await endMember(member, place);
  invariant(ended.kind !== "ok", "a member does nothing before its group is committed");
  return ended;
}

/** Commits the held members, unless the record says that they were given up. */
function commit(
  held: readonly HeldMember[],
  undos: Undos,
  { frame, path }: NodePlace,
  { loop, world }: RunFlowParts,
): Promise<Outcome<unknown>> {
  const known = world.effects.journal.readGroup(frame, path)?.members ?? [];
  const isGivenUp = known.some(({ own, isReleased }) => own !== "held" && !isReleased);
  return commitGroup({ loop, path, members: held, undos, isGivenUp }, { frame, world });
}

/** Calls that ended, in the order of the log. */
async function endMember(
  { node, index, call, result }: Member,
  { frame, path }: NodePlace,
): Promise<Outcome<JsonValue>> {
  const outcome = await result;
  if (outcome.kind === "paused") return outcome;
  await frame.catchUp(call);
  frame.record({ type: "child.completed", content: { child: call, status: outcome.kind } });
  if (outcome.kind === "ok") return outcome;
  const what = `${path}/nodes/${index}`;
  return failChild(outcome, { loopId: node.loopId, index, what, frame });
}

/** Gives the group up: no member has acted, and none will. */
async function giveUp(
  failed: Failed,
  open: readonly Member[],
  place: NodePlace,
  parts: RunFlowParts,
): Promise<Failed | Paused> {
  const paused = await dropAll(open, place);
  return paused ?? endGroup(failed, [], place, parts);
}

async function dropAll(open: readonly Member[], place: NodePlace): Promise<Paused | undefined> {
  for (const member of open) {
    member.hold.say("drop");
    const ended = await endMember(member, place);
    if (ended.kind === "paused") return ended;
  }
  return undefined;
}

/** One after the other: the next only when the one before was done. */
async function releaseAll(
  open: readonly Member[],
  place: NodePlace,
  parts: RunFlowParts,
): Promise<Outcome<readonly Gave[]>> {
  const { world } = parts;
  const group = world.effects.journal.readGroup(place.frame, place.path);
  const people = group === undefined ? {} : peopleOf(group);
  const gave: Gave[] = [];
  for (const [index, member] of open.entries()) {
    member.hold.say("release", people);
    const ended = await endMember(member, place);
    if (ended.kind === "paused") return ended;
    if (ended.kind === "error") {
      const paused = await dropAll(open.slice(index + 1), place);
      const nodes = open.map(({ node }) => node);
      return paused ?? endGroup(ended, nodes, place, parts);
    }
    const { value } = ended;
    const loop = world.identity.loops(member.node.loopId, member.node.loopVersion);
    invariant(loop !== undefined, "what was called is there");
    const result = createStepResult({ call: member.call, loop, output: value }, undefined);
    gave.push({ kind: "ok", value, result });
  }
  const ended = await endGroup(undefined, [], place, parts);
  return ended ?? succeed(gave);
}
