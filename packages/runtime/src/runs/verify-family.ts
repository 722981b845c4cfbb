/**
 * Verifies runs that started each other, found in a store from the one above all of them.
 *
 * Each run of a store is in one family. That is the family of the run above it, if the named claim
 * exists and names this run; otherwise its own, as the head. So any number of runs is verified
 * family by family, without memory of earlier ones.
 */
import { isDeepStrictEqual } from "node:util";
import { type CollectedRun, collectRun } from "@turnseal/host";
import type { Stores } from "@turnseal/ports";
import { isClaimOf, type LoopEvent } from "@turnseal/protocol";
import {
  createTree,
  type Finding,
  type ParentClaim,
  type RunVerdict,
  TREE_DEPTH_MAX,
  type VerifyOptions,
} from "@turnseal/protocol/receipts";

export interface FamilyParts {
  readonly stores: Pick<Stores, "log" | "receipts">;
  readonly trust: VerifyOptions;
  /** True for a run that is verified when its turn comes, or that of its family. */
  isListed(run: string): Promise<boolean>;
}

export interface FamilyVerdict {
  /** The verdicts on its runs; none where the head has not begun. */
  readonly runs: readonly RunVerdict[];
  /** Findings between its runs. */
  readonly findings: readonly Finding[];
}

/** How often a family is read before something in it is called wrong. */
export const LOOKS_MAX = 3;

/**
 * Runs go on while others are read: a run can name the receipt of another that was read before it
 * was there. A real fault is found again; a finding that a later look lacks came from reading too
 * early. Undefined for a run that is in the family of another.
 */
export async function verifyFamily(
  head: string,
  parts: FamilyParts,
): Promise<FamilyVerdict | undefined> {
  if ((await findHead(head, parts)) !== head) return undefined;
  let verdict = await lookAtFamily(head, parts);
  for (let looks = 1; looks < LOOKS_MAX && isWrong(verdict); looks++) {
    const before = verdict;
    verdict = await lookAtFamily(head, parts);
    if (isDeepStrictEqual(before, verdict)) break;
  }
  return verdict;
}

/** True if something is found that no open turn explains. */
export function isWrong({ runs, findings }: FamilyVerdict): boolean {
  return findings.length > 0 || runs.some((run) => run.verdict === "invalid" && !isUnsealed(run));
}

/** True when nothing else is found in a run than that no turn of it is closed. */
export function isUnsealed({ findings }: RunVerdict): boolean {
  return findings.length > 0 && findings.every(({ code }) => code === "RUN_UNSEALED");
}

async function lookAtFamily(head: string, parts: FamilyParts): Promise<FamilyVerdict> {
  const { stores, trust } = parts;
  const tree = createTree(trust);
  const runs: RunVerdict[] = [];
  const known = new Set([head]);
  const own = [head];
  const others = new Set<string>();
  let above: string | undefined;
  for (const run of own) {
    const collected = await collectRun(stores, run);
    if (collected.events.length === 0) continue;
    if (run === head) above = pickParent(collected.events[0])?.run;
    runs.push(await tree.add(collected));
    for await (const { child, isOwn } of readChildren(collected, parts)) {
      if (!isOwn) others.add(child);
      else if (!known.has(child)) {
        known.add(child);
        own.push(child);
      }
    }
  }
  const stranger = await findStranger(above, known, parts);
  if (stranger !== undefined) others.add(stranger);
  for (const other of others)
    if (!known.has(other)) await tree.add(await collectRun(stores, other));
  const found = tree.judge().set.findings;
  // One without a run says that there is no receipt: of one family that is nothing wrong.
  return { runs, findings: found.filter(({ run }) => run !== undefined && run !== stranger) };
}

/**
 * The run above a head, if that run knows nothing of it: the tree reports this, and that run is
 * verified elsewhere.
 */
async function findStranger(
  above: string | undefined,
  known: ReadonlySet<string>,
  parts: FamilyParts,
): Promise<string | undefined> {
  if (above === undefined || known.has(above)) return undefined;
  return (await parts.isListed(above)) ? above : undefined;
}

interface Child {
  readonly child: string;
  /** False if the run names another claim than the one above it. */
  readonly isOwn: boolean;
}

async function* readChildren(
  { run, events }: CollectedRun,
  parts: FamilyParts,
): AsyncGenerator<Child> {
  for (const event of events) {
    if (!isClaimOf("handoff", event)) continue;
    const { child } = event.content;
    if (child === undefined || child === run || !(await parts.isListed(child))) continue;
    const parent = await readParent(child, parts);
    yield { child, isOwn: parent?.run === run && parent.sequence === event.sequence };
  }
}

/**
 * Returns the first run of a family. A circle has none, and a path that is too long is not
 * followed: then each run counts alone.
 */
export async function findHead(run: string, parts: FamilyParts): Promise<string> {
  let top = run;
  for (let depth = 0; depth <= TREE_DEPTH_MAX; depth++) {
    const above = await findAbove(top, parts);
    if (above === undefined) return top;
    top = above;
  }
  return run;
}

/** The run in whose family a run is, where the claim that it names is there and names it. */
async function findAbove(run: string, parts: FamilyParts): Promise<string | undefined> {
  const parent = await readParent(run, parts);
  if (parent === undefined || parent.run === run) return undefined;
  if (!(await parts.isListed(parent.run))) return undefined;
  const { log } = parts.stores;
  // Its beginning first: a log that is in an archive is found by that.
  if ((await log.read(parent.run, 1, 1)).length === 0) return undefined;
  const [claim] = await log.read(parent.run, parent.sequence, 1);
  const isNamed =
    claim?.sequence === parent.sequence &&
    isClaimOf("handoff", claim) &&
    claim.content.child === run;
  return isNamed ? parent.run : undefined;
}

/** The claim under which a run says that it was started. */
async function readParent(run: string, { stores: { log } }: FamilyParts) {
  const [first] = await log.read(run, 1, 1);
  return pickParent(first);
}

function pickParent(first: LoopEvent | undefined): ParentClaim | undefined {
  return first?.type === "run.started" ? first.content.spec.parent : undefined;
}
