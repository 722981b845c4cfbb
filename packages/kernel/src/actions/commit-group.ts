/**
 * The action that commits a group: it asks people for all members at once, before the first of them
 * acts (spec/flow.md §8.4).
 */
import {
  type Amounts,
  addAmounts,
  invariant,
  type JsonObject,
  type JsonValue,
} from "@turnseal/protocol";
import { GROUP_TOOL } from "@turnseal/protocol/receipts";
import type { CheckedLoop } from "../definition/check-loop.ts";
import type { HeldMember, Undos } from "../hold.ts";
import type { AskTerms, Judgement } from "../judgement.ts";
import { fail, type Outcome } from "../outcome.ts";
import type { Frame } from "../resume/frame.ts";
import type { Action } from "../step/action.ts";
import type { World } from "../world.ts";
import { admitTool } from "./admit-tool.ts";

export interface GroupToCommit {
  /** The composite. */
  readonly loop: CheckedLoop;
  readonly path: string;
  readonly members: readonly HeldMember[];
  readonly undos: Undos;
  /** True where the record says that the group was given up. */
  readonly isGivenUp: boolean;
}

/** Asks people for the group, if required, and commits it. */
export async function commitGroup(
  { loop: { definition }, path, members, undos, isGivenUp }: GroupToCommit,
  { frame, world }: { readonly frame: Frame; readonly world: World },
): Promise<Outcome<unknown>> {
  const { id: loop, version } = definition;
  const tool = { name: GROUP_TOOL, version, effect: "read" } as const;
  const request = { path, members: members.map(describe) };
  const admission = admitTool(frame, tool, { args: request, needs: {} });
  if (admission.kind !== "ok") return admission;
  const { approvals } = admission.value;
  const action: Action = {
    kind: "tool",
    name: GROUP_TOOL,
    ordinal: 0,
    effect: "read",
    facts: {
      ...{ action: "tool", tool: GROUP_TOOL, build: "builtin", term: GROUP_TOOL },
      group: { path, members: members.map(nameMember) },
    },
    request,
    // The members hold its costs.
    reserve: () => ({}),
    attempt: {},
    judged: { loop, tool, args: request, grant: frame.grant ?? {}, needs: {}, approvals },
    judgeAll: () =>
      isGivenUp ? deny("the group was given up", "group-refused") : judgeMembers(members, undos),
    act: async () => ({ result: { committed: true }, facts: { action: "tool" }, spent: {} }),
  };
  // The call may have several: the key of each follows from where it stands.
  return world.effects.journal.run({ ...frame, path: `${frame.path}${path}/commit` }, action);
}

/** The committed facts of a member: verifiers compare them with the claim. */
function nameMember({ claim: { content } }: HeldMember) {
  invariant(content.action === "tool", "what is held is an action of a tool");
  const { key, request, build } = content;
  return { key, digest: request.digest, build };
}

/** Describes a member for people from its claim, which does not change while they decide. */
function describe({ claim: { content }, input }: HeldMember): JsonObject {
  const { effect, reserve } = content;
  const facts = content.action === "tool" ? content : undefined;
  const { compensation, irreversible, build, secrets } = facts ?? {};
  return {
    tool: facts?.tool ?? "",
    input: input as JsonValue,
    effect,
    reserve: { ...reserve },
    ...(compensation === undefined ? {} : { compensation: { ...compensation } }),
    ...(irreversible === undefined ? {} : { irreversible }),
    ...(build === undefined ? {} : { build }),
    ...(secrets === undefined ? {} : { secrets: [...secrets] }),
  };
}

/** One no is a no to all; of what they want of people, the strictest. */
function judgeMembers(members: readonly HeldMember[], undos: Undos): Judgement {
  const changed = members.find(({ isSameCode }) => !isSameCode);
  if (changed !== undefined)
    return deny(`${toolOf(changed)} has other code than when it was held`, "build-changed");
  const asked: Extract<Judgement, { kind: "asked" }>[] = [];
  for (const member of members) {
    const judgement = member.judge();
    if (judgement.kind === "denied") return judgement;
    if (judgement.kind === "asked") asked.push(judgement);
  }
  const [first] = asked;
  if (first === undefined) return { kind: "allowed", facts: {} };
  const roles = new Set(asked.flatMap(({ ask: { role } }) => role ?? []));
  if (roles.size > 1) return deny("members want the approval of different roles", "group-roles");
  const { rule, policy } = first.facts;
  const facts = { ...(rule === undefined ? {} : { rule }), ...(policy && { policy }) };
  const description = describeAll(members, asked, undos);
  return { kind: "asked", ask: joinTerms(asked.map(({ ask }) => ask)), facts, description };
}

function joinTerms(terms: readonly AskTerms[]): AskTerms {
  const role = terms.find((each) => each.role !== undefined)?.role;
  return {
    ...(role === undefined ? {} : { role }),
    approvers: Math.max(...terms.map(({ approvers }) => approvers)),
    exclude: [...new Set(terms.flatMap(({ exclude = [] }) => exclude))],
    decideWithinMs: Math.min(...terms.map(({ decideWithinMs }) => decideWithinMs)),
    useWithinMs: Math.min(...terms.map(({ useWithinMs }) => useWithinMs)),
    onReject: terms.some(({ onReject }) => onReject === "stop") ? "stop" : "tell",
  };
}

function describeAll(
  members: readonly HeldMember[],
  asked: readonly { readonly description?: string }[],
  undos: Undos,
): string {
  const names = members.map(toolOf).join(", ");
  const said = asked.flatMap(({ description }) => description ?? []);
  const words = [`Do all of these or none: ${names}?`, ...describeUndos(undos), ...said];
  return words.join(" ").toWellFormed();
}

/** Says which amounts the budget reserves for compensations, and which tools may need more. */
function describeUndos({ each, unknown }: Undos): string[] {
  const { toolCalls = 0, effects = 0 } = each.reduce<Amounts>(addAmounts, {});
  const kept = `Kept to take them back: ${toolCalls} calls of tools, ${effects} effects.`;
  const more = `What else it takes is not known before: ${unknown.join(", ")}.`;
  return [...(each.length === 0 ? [] : [kept]), ...(unknown.length === 0 ? [] : [more])];
}

function toolOf({ claim: { content } }: HeldMember): string {
  return content.action === "tool" ? content.tool : "";
}

function deny(message: string, denial: string): Judgement {
  return { kind: "denied", refusal: fail("POLICY_DENIED", message, { denial }) };
}
