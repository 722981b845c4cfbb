/**
 * Loads the rules of a turn: those that its run was started with, as they were then, and those of
 * today. Unreadable rules deny everything.
 */

import type { RunProjection } from "@turnseal/folds";
import {
  type CompiledPolicy,
  type Content,
  findPolicy,
  type RulesInForce,
  readPolicy,
} from "@turnseal/kernel";
import type { BlobRef, Digest, Policy } from "@turnseal/protocol";

interface RuleSources {
  readonly appender: { readonly content: Content };
  readonly policy?: Policy;
  readonly shadow?: Policy;
}

export async function loadRules(
  { spec, policy: stored }: RunProjection,
  { appender, policy, shadow }: RuleSources,
): Promise<RulesInForce> {
  const pinned = spec?.policy;
  const onReject = spec?.bounds.onReject;
  return {
    ...(pinned === undefined
      ? {}
      : { pinned: await readPinned(pinned.digest, stored, appender.content) }),
    ...(onReject === undefined ? {} : { onReject }),
    ...(policy === undefined ? {} : { current: readPolicy(policy) }),
    ...(shadow === undefined ? {} : { shadow: readPolicy(shadow) }),
  };
}

async function readPinned(
  digest: Digest,
  stored: BlobRef | null,
  content: Content,
): Promise<CompiledPolicy> {
  // Every turn is judged by it: it is read and compiled once.
  const known = stored === null ? undefined : findPolicy(digest);
  if (known !== undefined) return known;
  const policy = readPolicy(stored === null ? undefined : await content.read(stored));
  const isPinned = policy.kind === "compiled" && policy.digest === digest;
  return isPinned ? policy : readPolicy(undefined);
}
