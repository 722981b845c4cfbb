import type { Finding } from "@turnseal/protocol/receipts";
import { expect, test } from "vitest";
import { formatLine } from "./line.ts";
import { FINDINGS_SHOWN_MAX, renderVerdict } from "./render-verdict.ts";

function show(findings: readonly Finding[]): string[] {
  const counted = { run: "r", events: 3, receipts: 1, sealedUntil: 2, firstWrong: 2 };
  const verdict = { kind: "run", valid: findings.length === 0, ...counted, findings } as const;
  return renderVerdict(verdict).map((line) => formatLine(line, { isColoured: false }));
}

const wrong: Finding = { code: "CHAIN_HASH", message: "event 2 does not belong", sequence: 2 };

test("a valid run says how far it is sealed", () => {
  expect(show([])).toEqual(["✓ valid  run r, 3 events, 1 receipt, sealed until event 2"]);
});

test("an invalid one names the first wrong event and each code", () => {
  expect(show([wrong, { code: "RECEIPT_MISSING", message: "none", turn: 4 }])).toEqual([
    "✗ invalid  run r, 3 events, 1 receipt, the first wrong event is 2",
    "  CHAIN_HASH  event 2 does not belong",
    "  RECEIPT_MISSING  turn 4: none",
  ]);
});

test("a key that nobody trusts comes with what to do", () => {
  expect(show([{ code: "KEY_UNKNOWN", message: "unknown" }]).at(-1)).toContain("--keys");
});

test("at most FINDINGS_SHOWN_MAX are shown, and one more is counted", () => {
  const all = Array.from({ length: FINDINGS_SHOWN_MAX }, () => wrong);
  expect(show(all)).toHaveLength(FINDINGS_SHOWN_MAX + 1);
  expect(show([...all, wrong]).at(-1)).toBe("  and 1 more");
});
