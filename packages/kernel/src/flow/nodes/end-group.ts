/**
 * Ends an effect group (spec/flow.md §8.7, §8.8): its members are done, taken back, or left to a
 * person.
 */
import { isDeclaredCompensation } from "@turnseal/protocol/authoring";
import {
  endOfMember,
  type FoldedGroup,
  factsOf,
  GROUP_REST,
  GROUP_REST_VERSION,
  type GroupMember,
  type GroupPeople,
  outcomeOf,
  peopleOf,
} from "@turnseal/protocol/receipts";
import type { CheckedLoop } from "../../definition/check-loop.ts";
import type { CheckedCall } from "../../definition/flow/checked-node.ts";
import { type Hold, openShield, restPath } from "../../hold.ts";
import { GROUP_REST_MS } from "../../limits.ts";
import { type Failed, fail, type Paused } from "../../outcome.ts";
import { nameUndo } from "../../registry/list-references.ts";
import { findUndos } from "./find-undos.ts";
import type { NodePlace, RunFlowParts } from "./node.ts";

/**
 * Takes back the members that acted, if one failed, and records the end of the group. Returns the
 * result for the flow: the failure, or undefined if all members acted.
 */
export async function endGroup<Failure extends Failed | undefined>(
  failed: Failure,
  nodes: readonly CheckedCall[],
  place: NodePlace,
  parts: RunFlowParts,
): Promise<Failure | Failed | Paused> {
  const { frame, path } = place;
  const { journal } = parts.world.effects;
  const released = journal.readGroup(frame, path);
  // No member was held, so there is no end to record.
  if (released === undefined) return failed;
  if (failed !== undefined && isKnown(released)) {
    const paused = await takeBack(released, nodes, place, parts);
    if (paused !== undefined) return paused;
  }
  const before = journal.readGroup(frame, path, "asked") ?? released;
  const isPart = outcomeOf(before) === "part";
  if (isPart) {
    const paused = await askWhatNow(before, place, parts);
    if (paused !== undefined) return paused;
  }
  const group = journal.readGroup(frame, path, "closed") ?? before;
  const asked = isPart ? journal.findAsked(frame, path) : undefined;
  await frame.catchUp(path);
  frame.record({
    type: "group.closed",
    content: {
      path,
      outcome: outcomeOf(group),
      members: group.members.map((member) => ({ key: member.key, end: endOfMember(member) })),
      ...(asked === undefined || outcomeOf(group) !== "part" ? {} : { asked }),
    },
  });
  if (!isPart || failed === undefined) return failed;
  const { step } = failed.error.details;
  const details = step === undefined ? {} : { step };
  const message = `the group at ${path} was done in part`;
  return { ...fail("CHILD_FAILED", message, details), isUnknown: true };
}

/** Beside an unknown member, a rollback could take back the wrong half. */
function isKnown({ members }: FoldedGroup): boolean {
  return members.every(({ own }) => own !== "unknown" && own !== "acting");
}

/** In reverse, each by the declaration in its claim; a failed one leaves the rest open. */
async function takeBack(
  group: FoldedGroup,
  nodes: readonly CheckedCall[],
  place: NodePlace,
  parts: RunFlowParts,
): Promise<Paused | undefined> {
  for (const [index, member] of [...group.members.entries()].toReversed()) {
    const node = nodes[index];
    const undo = node === undefined ? undefined : findUndo(member, node, parts);
    if (member.own !== "done" || undo === undefined) continue;
    // Members before this one are taken back after it.
    const before = group.members.slice(0, index).flatMap(({ own }, at) => {
      const earlier = own === "done" ? nodes[at] : undefined;
      return earlier === undefined ? [] : [earlier];
    });
    const kept = findUndos(before, place, parts).each;
    const paused = await callUndo(
      { member, index, undo, kept, people: peopleOf(group) },
      place,
      parts,
    );
    if (paused !== undefined) return paused;
  }
  return undefined;
}

/** The loop that the claim declares, where it is there. */
function findUndo(
  member: GroupMember,
  node: CheckedCall,
  { world }: RunFlowParts,
): CheckedLoop | undefined {
  const { loopId, loopVersion } = nameUndo(withVersion(node));
  const loop = world.identity.loops(loopId, loopVersion);
  const { compensation } = factsOf(member);
  const declared = isDeclaredCompensation(compensation) ? compensation : undefined;
  const { id, version } = loop?.definition ?? {};
  const isIt = declared !== undefined && declared.loop === id && declared.version === version;
  return isIt ? loop : undefined;
}

function withVersion({ loopId, loopVersion }: CheckedCall) {
  return loopVersion === undefined ? { loopId } : { loopId, loopVersion };
}

interface Undo {
  readonly member: GroupMember;
  readonly index: number;
  readonly undo: CheckedLoop;
  readonly people: GroupPeople;
  readonly kept: Hold["kept"];
}

async function callUndo(
  { member, index, undo, people, kept }: Undo,
  { frame, path: group, place }: NodePlace,
  { world, callChild }: RunFlowParts,
): Promise<Paused | undefined> {
  const below = `/nodes/${index}/undo`;
  const path = frame.path + group + below;
  const call = world.identity.ids.create(path);
  const { run, turn = 0 } = member.claim;
  const done = await world.effects.journal.readMember(member);
  // The turn is not sealed yet: there is no receipt to name.
  const takesBack = { run, turn, key: factsOf(member).key, receipt: "", ...done };
  await frame.catchUp(call);
  const started = { child: call, loop: undo.definition.id, step: index, path: group + below };
  frame.record({ type: "child.started", content: started });
  const { branch, recorder } = frame;
  const outcome = await callChild({
    ...{ loop: undo, input: { takesBack }, call, path, place: place + below, branch, recorder },
    // It is held to its own limit, however late the group has become.
    deadlineAt: Number.POSITIVE_INFINITY,
    hold: openShield(people, kept),
  });
  if (outcome.kind === "paused") return outcome;
  await frame.catchUp(call);
  frame.record({ type: "child.completed", content: { child: call, status: outcome.kind } });
  return undefined;
}

/** A person must know of everything that is left half done. */
async function askWhatNow(
  group: FoldedGroup,
  { frame, path }: NodePlace,
  { world }: RunFlowParts,
): Promise<Paused | undefined> {
  const asking = { ...frame, path: frame.path + restPath(path), isCancelled: () => false };
  const answer = await world.effects.journal.ask(asking, {
    ...{ loop: GROUP_REST, version: GROUP_REST_VERSION, to: "person", withinMs: GROUP_REST_MS },
    ...peopleOf(group),
    request: {
      path,
      members: group.members.map((member) => ({
        tool: factsOf(member).tool,
        key: member.key,
        end: endOfMember(member),
      })),
    },
  });
  return answer.kind === "paused" ? answer : undefined;
}
