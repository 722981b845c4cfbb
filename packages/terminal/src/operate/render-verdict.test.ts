import type { Verdict } from "@turnseal/operate/proof";
import type { Finding } from "@turnseal/protocol/receipts";
import { expect, test } from "vitest";
import { formatLine } from "../screen/line.ts";
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
  const set = { verdict: "valid", valid: true, receipts: 1, runs: 1, findings: [] } as const;
  const bad = { run: "a", events: 3, receipts: 1, sealedUntil: 0, firstWrong: null } as const;
  const word = { verdict: "invalid", valid: false } as const;
  expect(
    showAny({ kind: "tree", ...word, set, runs: [{ ...bad, ...word, findings: [wrong] }] }),
  ).toEqual(["✗ invalid  1 run, 1 receipt", "  CHAIN_HASH  run a: event 2 does not belong"]);
  const counted = { checked: 2, found: FINDINGS_SHOWN_MAX + 4, set };
  const found = Array.from({ length: FINDINGS_SHOWN_MAX + 1 }, () => ({ run: "a", ...wrong }));
  const waiting = { notStarted: 2, notSealed: 0 };
  const names = { notStarted: ["b", "c"], notSealed: [], waiting };
  const said = showAny({ kind: "store", ...word, ...counted, findings: found, ...names });
  expect(said.slice(0, 3)).toEqual([
    "✗ invalid  2 runs, 1 receipt",
    "  not started: b, c",
    "  CHAIN_HASH  run a: event 2 does not belong",
  ]);
  expect(said.at(-1)).toBe("  and 4 more");
});

test("what was interrupted is not called valid, and says where to go on", () => {
  const set = { verdict: "valid", valid: true, receipts: 5, runs: 3, findings: [] } as const;
  const rest = { notStarted: [], notSealed: [], waiting: { notStarted: 0, notSealed: 0 } };
  const open = { kind: "store", verdict: "open", valid: false, checked: 3, set, ...rest } as const;
  const said = (interrupted: { readonly upTo?: string }) =>
    showAny({ ...open, findings: [], found: 0, interrupted }, false);
  expect(said({ upTo: "b" })).toEqual([
    "○ not finished  3 runs, 5 receipts",
    "interrupted, 3 runs checked; next: turnseal verify --after b",
  ]);
  expect(said({}).at(-1)).toBe("interrupted, 3 runs checked; next: turnseal verify");
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
  const message = "the key k was noted, and is not trusted: turnseal keys trust k";
  expect(show([{ code: "KEY_UNKNOWN", message }]).at(-1)).toContain("turnseal keys trust k");
});

test("at most FINDINGS_SHOWN_MAX are shown, and one more is counted", () => {
  const all = Array.from({ length: FINDINGS_SHOWN_MAX }, () => wrong);
  expect(show(all)).toHaveLength(FINDINGS_SHOWN_MAX + 1);
  expect(show([...all, wrong]).at(-1)).toBe("  and 1 more");
});
