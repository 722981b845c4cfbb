/**
 * Checks that a compensation undoes a member of a failed group (spec/flow.md §8.7). Only the
 * log of the open turn counts, not the caller or the arguments.
 */

import type { OpenTurn } from "@turnseal/folds";
import { type BlobRef, canonicalize, type JsonValue } from "@turnseal/protocol";
import { isDeclaredCompensation, type TakenAction } from "@turnseal/protocol/authoring";
import {
  type FoldedGroup,
  factsOf,
  type GroupMember,
  readGroups,
  undoKeyOf,
} from "@turnseal/protocol/receipts";
import { collectEvents } from "../../state/load-projection.ts";
import { readContent } from "../../state/read-content.ts";
import type { RollbackPorts } from "../find/rollback-ports.ts";

interface CompensationCall {
  readonly implementation: string;
  /** Of the compensation. */
  readonly key: string;
  readonly ports: RollbackPorts;
  /** The turn of the run that goes on, if one does. */
  readonly open: Pick<OpenTurn, "turn" | "from"> | null;
}

export async function findGroupProblem(
  named: TakenAction,
  { implementation, key, ports, open }: CompensationCall,
): Promise<string | undefined> {
  const { run, turn } = named;
  const { log } = ports.stores;
  // From where the turn begins: the run may be long.
  const events = open?.turn === turn ? await collectEvents(log, run, open.from) : [];
  const groups = readGroups(events);
  const found = groups.flatMap((group) =>
    group.members.filter(isOf(named)).map((member) => ({ group, member })),
  )[0];
  // A member of no group in the open turn belongs to a rollback.
  if (found === undefined) return "the run has not stopped";
  const { group, member } = found;
  if (!isFailed(group)) return "its group has not failed";
  if (member.own !== "done") return "the action did nothing";
  // The group undoes it once: this very claim is the latest that wants to.
  if (undoKeyOf(member) !== key) return "only its group takes it back";
  return findUndeclared(member, implementation, ports) ?? findOther(member, named, ports);
}

function isOf({ key }: TakenAction) {
  return (member: GroupMember): boolean => factsOf(member).key === key;
}

function isFailed({ isCommitted, closed, members }: FoldedGroup): boolean {
  const isKnown = members.every(({ own }) => own === "done" || own === "not-done");
  return isCommitted && closed === undefined && isKnown && members.some((each) => each.isFailed);
}

function findUndeclared(
  member: GroupMember,
  implementation: string,
  { registry, tools, clock }: RollbackPorts,
): string | undefined {
  const { doneAt = "" } = member;
  const { compensation: declared } = factsOf(member);
  if (!isDeclaredCompensation(declared)) return "no compensation was declared for it";
  const { loop, version, build, withinMs = Number.POSITIVE_INFINITY } = declared;
  const undo = registry.resolve(loop, version)?.definition.tool?.implementation;
  if (undo !== implementation) return "another compensation was declared for it";
  if (tools.find(undo, version)?.build !== build) return "its compensation has other code by now";
  return clock.now() > Date.parse(doneAt) + withinMs ? "its time is over" : undefined;
}

/** Reads the input and the result of the member from the log. */
async function findOther(
  member: GroupMember,
  named: TakenAction,
  { stores }: RollbackPorts,
): Promise<string | undefined> {
  const { run } = member.claim;
  const read = async (kept: JsonValue | undefined): Promise<JsonValue | undefined> =>
    kept === undefined ? null : readContent(stores, run, kept as unknown as BlobRef);
  const [input, result] = [await read(factsOf(member).request), await read(member.result)];
  if (input === undefined || result === undefined) return "what it was given or gave is gone";
  const { turn, key } = named;
  const said = { run, turn, key, receipt: "", input, result };
  const isSame = canonicalize(said) === canonicalize(named as unknown as JsonValue);
  return isSame ? undefined : "the log says otherwise of the action";
}
