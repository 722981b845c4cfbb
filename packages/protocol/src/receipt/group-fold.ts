/**
 * Folds the groups of a turn (spec/flow.md §8): the held members, the commit, and the end of each.
 * The runtime closes a group by it, and verifiers judge by it.
 *
 * 1. A claim that says `held` did nothing. A claim that replaces it may have acted, until its end
 *    is known.
 * 2. Any sequence of events has one result: only the shape of events is trusted.
 */
import { isPlainObject, type JsonObject, type JsonValue } from "../canonical-json.ts";
import { type AnyEvent, type RawEvent, toRaw } from "../log/raw-event.ts";
import type { GroupOutcome, MemberEnd } from "../outcomes.ts";

/** The state of a member: its end, once it has one. */
export type MemberState = "held" | "acting" | MemberEnd;

export interface GroupMember {
  /** Of the claim that holds it. */
  readonly key: string;
  readonly call: string;
  /** The latest claim of its call. */
  claim: RawEvent;
  /** The end of its own action. */
  own: Exclude<MemberState, "taken-back">;
  /** The end of its compensation, if that was tried. */
  taken?: "taken-back" | "done" | "unknown";
  /** True once another claim has replaced the one that held it. */
  isReleased: boolean;
  /** True when its call failed, also where what it did is done. */
  isFailed: boolean;
  /** True when its call has ended: later events about it change nothing in its group. */
  isEnded: boolean;
  /** Of what was done: when, and what it gave. */
  doneAt?: string;
  result?: JsonValue;
  /** The latest claim that is to take it back. */
  undo?: RawEvent;
}

export interface FoldedGroup {
  /** The call of the composite, and where the group stands in its flow. */
  readonly call: string;
  readonly path: string;
  readonly members: GroupMember[];
  /** The claim that commits it, with the keys of its members; undefined before that. */
  claim?: RawEvent;
  isCommitted: boolean;
  closed?: RawEvent;
}

export interface GroupFold {
  follow(event: AnyEvent): void;
  /** Those of the turn, in the order in which they began. */
  list(): readonly FoldedGroup[];
  /** The group of a member, by its call. */
  findMember(call: string | undefined): MemberPlace | undefined;
  find(call: string | undefined, path: JsonValue | undefined): FoldedGroup | undefined;
}

export interface MemberPlace {
  readonly group: FoldedGroup;
  readonly member: GroupMember;
}

/** Folds the events of one turn after the other; a turn that starts forgets the one before. */
export function foldGroups(): GroupFold {
  let groups: FoldedGroup[] = [];
  return {
    list: () => groups,
    find: (call, path) => findGroup(groups, call, path),
    findMember: (call) => findMember(groups, call),
    follow: (any) => {
      const event = toRaw(any);
      switch (event.type) {
        case "turn.started":
          groups = [];
          return;
        case "action.claimed":
          foldClaim(groups, event);
          return;
        case "action.settled":
        case "action.resolved":
        case "action.unknown":
          foldEnd(groups, event);
          return;
        case "call.completed":
        case "call.errored": {
          const member = findMember(groups, event.call)?.member;
          if (member === undefined) return;
          member.isEnded = true;
          member.isFailed = event.type === "call.errored";
          return;
        }
        case "group.closed": {
          const group = findGroup(groups, event.call, event.content["path"]);
          if (group !== undefined) group.closed = event;
          return;
        }
        default:
      }
    },
  };
}

type Groups = FoldedGroup[];

function findGroup(
  groups: Groups,
  call: string | undefined,
  path: JsonValue | undefined,
): FoldedGroup | undefined {
  return groups.find((group) => group.call === call && group.path === path);
}

function findMember(groups: Groups, call: string | undefined): MemberPlace | undefined {
  for (const group of groups)
    for (const member of group.members) if (member.call === call) return { group, member };
  return undefined;
}

function foldClaim(groups: Groups, event: RawEvent): void {
  const { call = "", content } = event;
  const { held: path, group: committed, takesBack } = content;
  if (typeof path === "string") {
    holdMember(groups, event, path);
    return;
  }
  if (isPlainObject(committed)) {
    const group = findGroup(groups, call, (committed as JsonObject)["path"]);
    if (group !== undefined) group.claim = event;
    return;
  }
  const taken = isPlainObject(takesBack) ? findTaken(groups, takesBack as JsonObject) : undefined;
  if (taken !== undefined) {
    Object.assign(taken.member, { undo: event, taken: "unknown" });
    return;
  }
  const member = findMember(groups, call)?.member;
  if (member === undefined || member.isEnded) return;
  Object.assign(member, { claim: event, own: "acting", isReleased: true });
}

function holdMember(groups: Groups, event: RawEvent, path: string): void {
  const { call = "", parentCall = "", content } = event;
  const known = findGroup(groups, parentCall, path);
  const group = known ?? { call: parentCall, path, members: [], isCommitted: false };
  if (known === undefined) groups.push(group);
  const marks = { isReleased: false, isFailed: false, isEnded: false };
  group.members.push({ key: textOf(content["key"]), call, claim: event, own: "held", ...marks });
}

function foldEnd(groups: Groups, event: RawEvent): void {
  const { content, call } = event;
  for (const group of groups) {
    const isOfClaim = group.claim !== undefined && group.claim.sequence === content["claim"];
    if (isOfClaim && content["status"] === "ok") group.isCommitted = true;
    const undone = group.members.find(
      ({ undo }) => undo !== undefined && undo.sequence === content["claim"],
    );
    if (undone !== undefined) undone.taken = takenAfter(event);
  }
  const member = findMember(groups, call)?.member;
  if (member === undefined || member.isEnded) return;
  if (member.claim.sequence !== content["claim"]) return;
  member.own = ownAfter(event);
  if (member.own !== "done") return;
  member.doneAt = event.at;
  if (content["result"] !== undefined) member.result = content["result"];
}

/** Facts that the runtime has put into the claim of a member. */
export interface MemberFacts {
  readonly tool: string;
  /** Of the latest claim. */
  readonly key: string;
  readonly request: JsonValue | undefined;
  readonly compensation: JsonValue | undefined;
}

export function factsOf({ claim: { content } }: Pick<GroupMember, "claim">): MemberFacts {
  const { tool, key, request, compensation } = content;
  return { tool: textOf(tool), key: textOf(key), request, compensation };
}

/** The commitment of a member, from the claim that holds it. */
export function committedOf({ key, claim: { content } }: GroupMember): JsonObject {
  const { request, build } = content;
  const digest = isPlainObject(request) ? (request as JsonObject)["digest"] : undefined;
  return {
    key,
    digest: typeof digest === "string" ? digest : null,
    build: typeof build === "string" ? build : null,
  };
}

/**
 * The role of the people who may commit a group, and the excluded ones: the same holds for later
 * answers about it.
 */
export interface GroupPeople {
  readonly role?: string;
  readonly excluded?: readonly string[];
}

export function peopleOf({ claim }: Pick<FoldedGroup, "claim">): GroupPeople {
  const { role, excluded } = claim?.content ?? {};
  return {
    ...(typeof role === "string" ? { role } : {}),
    ...(Array.isArray(excluded) ? { excluded: excluded.map(textOf) } : {}),
  };
}

/** The key of the latest claim that is to take a member back. */
export function undoKeyOf({ undo }: Pick<GroupMember, "undo">): string | undefined {
  return undo === undefined ? undefined : textOf(undo.content["key"]);
}

/** The groups of a turn, after these events of it. */
export function readGroups(events: readonly AnyEvent[]): readonly FoldedGroup[] {
  const fold = foldGroups();
  for (const event of events) fold.follow(event);
  return fold.list();
}

/** The member that an action takes back. */
function findTaken(groups: readonly FoldedGroup[], taken: JsonObject): MemberPlace | undefined {
  for (const group of groups)
    for (const member of group.members) {
      const { run, turn, content } = member.claim;
      const isIt = content["key"] === taken["key"] && run === taken["run"];
      if (isIt && turn === taken["turn"]) return { group, member };
    }
  return undefined;
}

function ownAfter({ type, content }: RawEvent): GroupMember["own"] {
  if (type === "action.unknown") return "unknown";
  if (type === "action.settled") return content["status"] === "ok" ? "done" : "not-done";
  switch (content["resolution"]) {
    case "happened":
      return "done";
    case "never":
      return "not-done";
    case "abandon":
      return "unknown";
    default:
      return "acting";
  }
}

/** A member whose compensation did nothing is still done. */
function takenAfter(event: RawEvent): "taken-back" | "done" | "unknown" {
  switch (ownAfter(event)) {
    case "done":
      return "taken-back";
    case "not-done":
      return "done";
    default:
      return "unknown";
  }
}

/** How a member stands now. */
export function stateOf({ own, taken }: Pick<GroupMember, "own" | "taken">): MemberState {
  return own === "done" && taken !== undefined ? taken : own;
}

/** Its end if nothing more is done: a running action stays unknown. */
export function endOfMember(member: Pick<GroupMember, "own" | "taken">): MemberEnd {
  const state = stateOf(member);
  if (state === "held") return "not-done";
  return state === "acting" ? "unknown" : state;
}

/** How a group ended, if nothing more is done. */
export function outcomeOf({ isCommitted, members }: FoldedGroup): GroupOutcome {
  const ends = members.map(endOfMember);
  const isWhole = members.every(({ isFailed }, index) => ends[index] === "done" && !isFailed);
  if (isCommitted && isWhole) return "all";
  return ends.every((end) => end === "not-done" || end === "taken-back") ? "none" : "part";
}

/** The record of each group of a turn in its receipt. */
export function listGroups(events: readonly RawEvent[]): JsonObject[] {
  return events
    .filter(({ type }) => type === "group.closed")
    .map(({ sequence, hash, content: { path, outcome, members, asked } }) => ({
      ...(typeof path === "string" ? { path } : {}),
      ...(typeof outcome === "string" ? { outcome } : {}),
      ...(Array.isArray(members) ? { members } : {}),
      ...(typeof asked === "number" ? { asked } : {}),
      closed: { sequence, hash },
    }));
}

function textOf(value: JsonValue | undefined): string {
  return typeof value === "string" ? value : "";
}
