import type { Finding } from "@turnseal/protocol/receipts";
import type { Verdict } from "@turnseal/runtime/proof";
import { expect, test } from "vitest";
import { formatLine } from "../terminal/line.ts";
import { FINDINGS_SHOWN_MAX, renderVerdict } from "./render-verdict.ts";

function show(findings: readonly Finding[], options: Shown = {}): string[] {
  const { events = 3, isExpected = true } = options;
  const counted = { run: "r", events, receipts: 1, sealedUntil: 2, firstWrong: 2 };
  const valid = findings.length === 0;
  const isOpen = findings.some(({ code }) => code === "TAIL_UNSEALED");
  const word = valid ? "valid" : isOpen ? "open" : "invalid";
  return showAny({ kind: "run", verdict: word, valid, ...counted, findings }, isExpected);
}

interface Shown {
  readonly events?: number;
  readonly isExpected?: boolean;
}

function showAny(verdict: Verdict, isExpected = true): string[] {
  return renderVerdict(verdict, { isExpected }).map((line) =>
    formatLine(line, { isColoured: false }),
  );
}

const wrong: Finding = { code: "CHAIN_HASH", message: "event 2 does not belong", sequence: 2 };

test("a valid run says how far it is sealed, and what is not", () => {
  const sealed = "✓ valid  run r, 2 events, 1 receipt, sealed until event 2";
  expect(show([], { events: 2 })).toEqual([sealed]);
  expect(show([]).slice(1)).toEqual(["  not sealed: event 3, written after the last receipt"]);
  expect(show([], { events: 5 }).slice(1)).toEqual([
    "  not sealed: events 3 to 5, written after the last receipt",
  ]);
});

test("an open turn is never called valid, and is a no unless it is expected", () => {
  const open: Finding = { code: "TAIL_UNSEALED", message: "a turn is open", sequence: 3, turn: 2 };
  const said = [
    "  not sealed: events 3 to 9, which anyone could have written",
    "  TAIL_UNSEALED  event 3, turn 2: a turn is open",
  ];
  expect(show([open], { events: 9 })).toEqual([
    "○ valid so far  run r, 9 events, 1 receipt, sealed until event 2",
    ...said,
  ]);
  expect(show([open], { events: 9, isExpected: false })).toEqual([
    "✗ open  run r, 9 events, 1 receipt, sealed until event 2",
    ...said,
    "  next: turnseal verify ... --allow-open, if you act on what is sealed alone",
  ]);
});

test("one receipt names its digest and its key, and says that its lineage is unverified", () => {
  const signature = { algorithm: "Ed25519", keyId: "k1", issuer: "hosted" } as const;
  const said = { id: "sha256:1", about: "turnseal:run/r/turn/2", lineage: "unverified" } as const;
  expect(
    showAny({ kind: "receipt", verdict: "valid", valid: true, ...said, signature, findings: [] }),
  ).toEqual([
    "✓ valid  receipt sha256:1",
    "  turnseal:run/r/turn/2",
    "  signed with the hosted key k1",
    "  lineage unverified: earlier receipts and the events are not checked",
  ]);
});

test("of several runs, a finding names its run; one that has not begun is not wrong", () => {
  const counted = { receipts: 1, sealedUntil: 0, firstWrong: null };
  const set = { verdict: "valid", valid: true, receipts: 1, runs: 1, findings: [] } as const;
  const bad = { verdict: "invalid", valid: false, run: "a", events: 3, ...counted } as const;
  const idle = { ...bad, run: "b", findings: [{ code: "RUN_UNSEALED", message: "none" }] } as const;
  expect(
    showAny({
      ...{ kind: "tree", verdict: "invalid", valid: false, set },
      runs: [{ ...bad, findings: [wrong] }, idle],
      notStarted: ["b", "c"],
      notSealed: [],
    }),
  ).toEqual([
    "✗ invalid  2 runs, 1 receipt",
    "  not started: b, c",
    "  CHAIN_HASH  run a: event 2 does not belong",
  ]);
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
