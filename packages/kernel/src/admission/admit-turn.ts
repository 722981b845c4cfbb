/**
 * Decides whether a turn may run at all. Pure, but for the registry it looks loops up in.
 *
 * It is judged by how things stood when the turn started, so that a resume and a replay decide the
 * same. What has changed since is for each tool's own admission.
 */
import {
  checkGuidance,
  findOverrun,
  fitsGuidance,
  foldSpending,
  type Grant,
  type GuidanceDocument,
  type LoopEvent,
  type PinnedGuidance,
  type PinnedReferences,
  referenceName,
  type Spending,
} from "@turnseal/protocol";
import type { CheckedLoop } from "../definition/check-loop.ts";
import type { PinnedLoops, Registry } from "../registry/registry.ts";

/** The loops of an admitted turn: each is the one that was pinned. */
export interface AdmittedLoops {
  readonly root: CheckedLoop;
  readonly loops: PinnedLoops;
}

export type TurnDenial = "grant-expired" | "budget-exhausted" | "guidance-changed";

export type TurnAdmission =
  | { readonly kind: "admitted"; readonly loops: AdmittedLoops }
  | { readonly kind: "denied"; readonly reason: TurnDenial }
  /** A loop that the run was started with is gone, or is not what it was. */
  | { readonly kind: "drifted"; readonly message: string };

interface TurnToAdmit {
  readonly loop: string;
  readonly version: string;
  readonly pinned: PinnedReferences;
  readonly grant: Grant;
  readonly guidance?: GuidanceToAdmit;
}

interface GuidanceToAdmit {
  readonly pinned: readonly PinnedGuidance[];
  readonly texts: readonly string[];
  readonly summaries: readonly GuidanceDocument[];
}

interface AdmissionFacts {
  readonly registry: Registry;
  /** The event with which the turn started. */
  readonly started: LoopEvent;
}

/** Checks grant, budget, guidance, and that every loop is still the one that was pinned. */
export function admitTurn(
  { loop, version, pinned, grant, guidance }: TurnToAdmit,
  { registry, started }: AdmissionFacts,
): TurnAdmission {
  for (const { id, version: pinnedVersion, digest } of Object.values(pinned)) {
    if (registry.resolve(id, pinnedVersion)?.digest === digest) continue;
    return {
      kind: "drifted",
      message: `${id} ${pinnedVersion} is not the loop that the run was started with`,
    };
  }
  const loops: PinnedLoops = (id, wanted) => {
    const name = referenceName(id, wanted);
    const pin = Object.hasOwn(pinned, name) ? pinned[name] : undefined;
    return pin === undefined ? undefined : registry.resolve(pin.id, pin.version);
  };
  const root = loops(loop, version);
  if (root === undefined)
    return { kind: "drifted", message: `${loop} ${version} is not registered` };
  if (grant.expiresAt !== undefined && !(Date.parse(started.at) < Date.parse(grant.expiresAt))) {
    return { kind: "denied", reason: "grant-expired" };
  }
  const spending = foldSpending(started.content["spending"] as unknown as Spending, started);
  if (findOverrun(grant.budget, spending, {}) !== undefined)
    return { kind: "denied", reason: "budget-exhausted" };
  if (guidance !== undefined && !isAsPinned(guidance))
    return { kind: "denied", reason: "guidance-changed" };
  return { kind: "admitted", loops: { root, loops } };
}

/** True when the texts are those that were pinned, and all that is given is within its limits. */
function isAsPinned({ pinned, texts, summaries }: GuidanceToAdmit): boolean {
  const isWithin = fitsGuidance([...texts, ...summaries.map(({ text }) => text)]);
  return isWithin && checkGuidance(pinned, texts) === "ok";
}
