/** Receipts, exports, sets of receipts and key sets, as texts that came from anywhere. */

import { verifyDocument } from "@turnseal/operate/proof";
import {
  type Finding,
  parseKeys,
  verifyBundle,
  verifyReceipt,
  verifySet,
} from "@turnseal/protocol/receipts";
import { breakCharacters, breakJson, breakWritten } from "../break-text.ts";
import { type Draft, timeAsync } from "../case-report.ts";
import type { Random } from "../random.ts";
import { readStatement, sealedRuns, signAgain, trustedKeys } from "../sealed-runs.ts";
import { checkVerdict } from "./break-events.ts";

interface Verdict {
  readonly valid: boolean;
  readonly findings: readonly Finding[];
}

const ways: Readonly<Record<string, (random: Random, draft: Draft) => Promise<Verdict>>> = {
  "receipt: characters": (random, draft) => {
    const text = breakCharacters(pickReceipt(random), oddBytes, random);
    return judgeReceipt(random.next() < 0.5 ? text : new TextEncoder().encode(text), draft);
  },
  "receipt: bytes": (random, draft) => {
    const bytes = new TextEncoder().encode(pickReceipt(random));
    for (let count = 1 + random.below(3); count > 0; count--)
      bytes[random.below(bytes.length)] = random.below(256);
    return judgeReceipt(bytes, draft);
  },
  "receipt: envelope": (random, draft) =>
    judgeReceipt(breakJson(JSON.parse(pickReceipt(random)), random), draft),
  "receipt: statement, signed again": (random, draft) => {
    const statement = readStatement(pickReceipt(random));
    const text = signAgain(breakWritten(statement, random).broken) ?? "";
    return judgeReceipt(text, draft);
  },
  bundle: async (random, draft) => {
    const { broken } = breakWritten(pickBundle(random), random);
    draft.subjects.push(broken);
    const verdict = await verifyBundle(broken, { keys: trustedKeys });
    draft.problems.push(...checkVerdict(verdict));
    return verdict;
  },
  "export: text": (random, draft) => judgeText(breakJson(pickBundle(random), random), draft),
  "export: list": (random, draft) =>
    judgeText(breakJson([pickBundle(random), pickBundle(random)], random), draft),
  set: async (random, draft) => {
    const statement = readStatement(pickReceipt(random));
    const signed = signAgain(breakWritten(statement, random).broken) ?? "";
    const receipts = [...sealedRuns.flatMap(({ bundle }) => bundle.receipts), signed];
    draft.subjects.push(signed);
    return verifySet(receipts, { keys: trustedKeys });
  },
  keys: async (random, draft) => {
    const { broken } = breakWritten({ keys: trustedKeys }, random);
    draft.subjects.push(broken);
    const keys = parseKeys(broken);
    if ("problem" in keys) return { valid: false, findings: [] };
    const verdict = await verifyReceipt(pickReceipt(random), { keys, production: true });
    return verdict.kind === "valid" ? { valid: true, findings: [] } : { valid: false, ...verdict };
  },
};

const oddBytes = [
  "=",
  "==",
  "A",
  "/",
  "+",
  "-",
  "_",
  "{",
  '"',
  "\\",
  "\u0000",
  "💡",
  "\ud800",
  "\n",
];

/** Breaks something that is to be verified. */
export async function breakReceipts(random: Random, draft: Draft): Promise<void> {
  const kind = random.pick(Object.keys(ways));
  draft.kind = kind;
  const { valid, findings } = (await timeAsync(draft, async () => ways[kind]?.(random, draft))) ?? {
    valid: true,
    findings: [],
  };
  draft.isAccepted = valid;
  draft.outcomes.push(...(valid ? ["valid"] : new Set(findings.map(({ code }) => code))));
}

function pickReceipt(random: Random): string {
  return random.pick(random.pick(sealedRuns).bundle.receipts);
}

/** An export, sometimes with content. */
function pickBundle(random: Random): object {
  const { bundle } = random.pick(sealedRuns);
  if (random.next() < 0.5) return bundle;
  const key = Buffer.alloc(32, 1).toString("base64");
  return { ...bundle, content: { key, blobs: { [`hmac-sha256:${"0".repeat(64)}`]: "AAAA" } } };
}

async function judgeReceipt(receipt: string | Uint8Array, draft: Draft): Promise<Verdict> {
  draft.subjects.push(receipt);
  const verdict = await verifyReceipt(receipt, { keys: trustedKeys });
  return verdict.kind === "valid" ? { valid: true, findings: [] } : { valid: false, ...verdict };
}

async function judgeText(text: string, draft: Draft): Promise<Verdict> {
  draft.subjects.push(text);
  const verdict = await verifyDocument(text, { keys: trustedKeys });
  const findings =
    verdict.kind === "tree" ? verdict.runs.flatMap((run) => run.findings) : verdict.findings;
  return { valid: verdict.valid, findings };
}
