/**
 * Follows effect groups (spec/flow.md §8, spec/receipt.md §6.6).
 *
 * 1. No member of a group acts before the whole group was committed; members act in their order.
 * 2. An action is taken back only after another member failed, in reverse order, once the end of
 *    each is known.
 * 3. It ends as its claims and settlements say, before its turn does; if it was done in part, a
 *    person was asked.
 */
import { canonicalize, isPlainObject, type JsonObject, type JsonValue } from "../canonical-json.ts";
import type { RawEvent } from "../log/raw-event.ts";
import {
  committedOf,
  endOfMember,
  type FoldedGroup,
  foldGroups,
  type GroupFold,
  outcomeOf,
  stateOf,
} from "../receipt/group-fold.ts";
import { GROUP_REST, GROUP_TOOL } from "../tool-reference.ts";
import { type Finding, finding } from "./finding.ts";

export interface GroupFollower {
  follow(event: RawEvent): Finding[];
}

export function followGroups(): GroupFollower {
  const fold = foldGroups();
  /** Questions about groups in this turn, by sequence number. */
  let questions = new Map<unknown, RawEvent>();
  const isSoundClaim = (event: RawEvent): boolean => {
    const { call, parentCall, content } = event;
    const { held, tool, takesBack, supersedes } = content;
    if (held !== undefined)
      return (
        isMember(content) && isOpenYet(fold.find(parentCall, held)) && supersedes === undefined
      );
    if (tool === GROUP_TOOL) return commitsAll(event, fold.find(call, pathOf(content)));
    if (isPlainObject(takesBack) && takesBack["run"] === event.run)
      return isInReverse(takesBack as JsonObject, event, fold.list());
    const place = fold.findMember(call);
    if (place === undefined) return true;
    const { group, member } = place;
    const at = group.members.indexOf(member);
    const isNext =
      group.members.slice(0, at).every((each) => stateOf(each) === "done") &&
      group.members.slice(at + 1).every(({ own }) => own === "held");
    const isOpen = group.isCommitted && group.closed === undefined;
    const isHeld = member.isReleased || hasCodeOf(member.claim, event);
    return isOpen && isNext && isHeld && isForPeopleOf(group, event);
  };
  const isSoundClose = ({ call, content }: RawEvent): boolean => {
    const group = fold.find(call, content["path"]);
    if (group === undefined || group.closed !== undefined) return false;
    if (group.members.some(({ own }) => own === "held")) return false;
    const members = group.members.map((member) => ({ key: member.key, end: endOfMember(member) }));
    const { asked, outcome } = content;
    return (
      outcome === outcomeOf(group) &&
      canonicalize(content["members"] ?? null) === canonicalize(members) &&
      (asked === undefined || (outcome === "part" && isOf(questions.get(asked), group)))
    );
  };
  const isSound = (event: RawEvent): boolean => {
    switch (event.type) {
      case "action.claimed":
        return isSoundClaim(event);
      case "action.settled":
      case "action.resolved":
      case "action.unknown":
        return isSoundEnd(event, fold);
      case "group.closed":
        return isSoundClose(event);
      case "turn.closed":
        return fold.list().every((group) => isOver(group, event));
      default:
        return true;
    }
  };
  return {
    follow: (event) => {
      const isAsked = event.type === "question.asked" && event.content["loop"] === GROUP_REST;
      if (isAsked) questions.set(event.sequence, event);
      if (event.type === "turn.started") questions = new Map();
      const wasSound = isSound(event);
      fold.follow(event);
      if (wasSound) return [];
      const { sequence, turn } = event;
      const place = { sequence, ...(turn === undefined ? {} : { turn }) };
      return [finding("TURN_ORDER", "a group is not carried out as it was committed", place)];
    },
  };
}

/** A held action did nothing: it can only be released or abandoned. */
function isSoundEnd({ type, call, content }: RawEvent, fold: GroupFold): boolean {
  const place = fold.findMember(call);
  if (place?.member.own !== "held") return true;
  if (type === "action.settled") return content["status"] === "cancelled";
  return type === "action.resolved" && place.group.isCommitted;
}

function isMember({ action, effect }: JsonObject): boolean {
  return action === "tool" && (effect === "idempotent" || effect === "reconcile");
}

function isOpenYet(group: FoldedGroup | undefined): boolean {
  return group === undefined || (group.claim === undefined && group.closed === undefined);
}

function pathOf({ group }: JsonObject): JsonValue | undefined {
  return isPlainObject(group) ? (group as JsonObject)["path"] : undefined;
}

/**
 * It names all held actions, in order, with the digest of their input and their code; another
 * commit replaces the first claim.
 */
function commitsAll({ content }: RawEvent, group: FoldedGroup | undefined): boolean {
  if (group === undefined || group.closed !== undefined || group.isCommitted) return false;
  const { members: named } = (content["group"] ?? {}) as JsonObject;
  const held = group.members.map(committedOf);
  const isHeld = group.members.every(({ own }) => own === "held");
  return isHeld && canonicalize(named ?? null) === canonicalize(held);
}

/** A released action must be the same as the held one. */
function hasCodeOf(held: RawEvent, released: RawEvent): boolean {
  return areSame(["build", "compensation", "irreversible"], held, released);
}

/** A question of the group, to the people who could commit it. */
function isOf(question: RawEvent | undefined, group: FoldedGroup): boolean {
  return question?.call === group.call && isForPeopleOf(group, question);
}

/** The people who could commit the group decide on it, unless it has an approval of its own. */
function isForPeopleOf({ claim }: FoldedGroup, event: RawEvent): boolean {
  if (event.content["approval"] !== undefined) return true;
  return claim !== undefined && areSame(["role", "excluded"], claim, event);
}

/** True if all of these are the same in both. */
function areSame(names: readonly string[], one: RawEvent, other: RawEvent): boolean {
  const read = ({ content }: RawEvent) => canonicalize(names.map((name) => content[name] ?? null));
  return read(one) === read(other);
}

/** It is a done member of an open group in which one failed, and all behind it were tried. */
function isInReverse(
  { key, turn }: JsonObject,
  event: RawEvent,
  groups: readonly FoldedGroup[],
): boolean {
  if (turn !== event.turn) return false;
  const { supersedes } = event.content;
  const isAgain = ({ undo }: FoldedGroup["members"][number]): boolean =>
    undo !== undefined && undo.sequence === supersedes;
  if (groups.some(({ members }) => members.some(isAgain))) return true;
  return groups.some((group) => {
    const { isCommitted, closed, members } = group;
    const at = members.findIndex(({ claim }) => claim.content["key"] === key);
    const member = members[at];
    if (member === undefined || stateOf(member) !== "done" || !isCommitted || closed !== undefined)
      return false;
    const isKnown = members.every(({ own }) => own !== "unknown" && own !== "acting");
    // A later member without a compensation must not block the ones before.
    const isNext = members.slice(0, at).every(({ undo }) => undo === undefined);
    const isStopped = members.every(({ own }) => own !== "held");
    const isFailed = members.some((each) => each.isFailed);
    return isKnown && isNext && isStopped && isFailed && isForPeopleOf(group, event);
  });
}

/** Ended from outside, with no person left to ask. */
const cutShort: ReadonlySet<unknown> = new Set(["drifted", "stalled", "withdrawn"]);

function isOver({ closed }: FoldedGroup, { content: { reason } }: RawEvent): boolean {
  if (closed === undefined) return false;
  const { outcome, asked } = closed.content;
  return outcome !== "part" || asked !== undefined || cutShort.has(reason);
}
