/** Methods about data alone: they need no run. */
import { parseCanonicalize, parseCheckChain, parseVerify } from "@turnseal/conformance/program";
import {
  CanonicalJsonError,
  canonicalize,
  checkChain,
  type Head,
  type JsonValue,
  type LoopEvent,
  sha256Hex,
} from "@turnseal/protocol";
import {
  type Finding,
  type PublicKey,
  type RunToVerify,
  verifyBundle,
  verifySet,
  verifyTree,
} from "@turnseal/protocol/receipts";

type Answer = Readonly<Record<string, unknown>>;

export function answerCanonicalize(params: unknown): Answer {
  const { json } = parseCanonicalize(params, "canonicalize");
  try {
    const text = canonicalize(JSON.parse(json) as JsonValue);
    return { kind: "canonical", text, sha256: sha256Hex(text) };
  } catch (error) {
    if (!(error instanceof CanonicalJsonError)) throw error;
    return { kind: "refused", code: error.code };
  }
}

export function answerCheckChain(params: unknown): Answer {
  const { run, after, events } = parseCheckChain(params, "checkChain");
  return checkChain(run, after as unknown as Head, events as unknown as readonly LoopEvent[]);
}

export async function answerVerify(params: unknown): Promise<Answer> {
  const { keys, production, bundle, receipts, tree } = parseVerify(params, "verify");
  const options = {
    keys: keys as unknown as readonly PublicKey[],
    production: production === true,
  };
  if (tree !== undefined) return verifyRuns(tree as unknown as readonly RunToVerify[], options);
  const { verdict, valid, findings } = await (receipts === undefined
    ? verifyBundle(bundle, options)
    : verifySet(receipts, options));
  return { verdict, valid, findings: findings.map(placeOf) };
}

/** Everything that is found in a tree, wherever. */
async function verifyRuns(
  tree: readonly RunToVerify[],
  options: Parameters<typeof verifyTree>[1],
): Promise<Answer> {
  const { verdict, valid, runs, set } = await verifyTree(tree, options);
  const findings = [...runs, set].flatMap((found) => found.findings);
  return { verdict, valid, findings: findings.map(placeOf) };
}

function placeOf({ code, sequence, turn }: Finding): Answer {
  return {
    code,
    ...(turn === undefined ? {} : { turn }),
    ...(sequence === undefined ? {} : { sequence }),
  };
}
