/**
 * Runs in which somebody had a hand in what they approved, or in which it was hidden who set a turn
 * going.
 */
import { type RawEvent, UNKNOWN_PERSON } from "@turnseal/protocol";
import type { ReceiptVector } from "./receipt-vector.ts";
import type { MadeRun } from "./seal-events.ts";
import { at, by, drop, type Found, type Name, set, spoil } from "./spoil-run.ts";

export interface SeparatedRuns {
  /** Started by alice, edited by bob, approved by carol; starter and editor are excluded. */
  readonly separated: MadeRun;
  /** Approved by bob, and answered for by carol when nobody knew what became of it. */
  readonly unknown: MadeRun;
}

const person = (id: string) => by({ kind: "person", id });
const mismatch: readonly Found[] = [["TRIGGER_MISMATCH", "turn.started"]];
const askedInVain: readonly Found[] = [
  ["APPROVAL_VOID", "approval.requested"],
  ["APPROVAL_VOID", "approval.requested", 2],
];
const approvedByOne: readonly Found[] = [
  ["APPROVAL_VOID", "approval.decided", 2],
  ["APPROVAL_MISSING", "action.claimed"],
];

type Changes = readonly ReturnType<typeof at>[];
type Reject = (name: Name, found: readonly Found[], ...changes: Changes) => ReceiptVector;

export function breakSeparation({ separated, unknown }: SeparatedRuns): ReceiptVector[] {
  const reject: Reject = (name, found, ...changes) =>
    spoil(separated, name, found, all(...changes));
  return [
    ...approveOwn(reject),
    ...hideStarters(reject),
    spoil(
      unknown,
      ["unknown-answered-by-the-excluded", "Who answers for the claim is excluded by it."],
      [["APPROVAL_VOID", "action.resolved"]],
      all(
        at("approval.requested", set({ exclude: ["editor"], excluded: ["carol"] })),
        at("action.claimed", set({ excluded: ["carol"] })),
      ),
    ),
  ];
}

/** People who approve what they had a hand in, and requests that let them. */
function approveOwn(reject: Reject): ReceiptVector[] {
  return [
    reject(
      ["approved-by-the-starter", "Whoever started the run approves, and is excluded."],
      approvedByOne,
      at("approval.decided", person("alice"), 2),
    ),
    reject(
      ["approved-by-the-editor", "Whoever edited the arguments approves, and is excluded."],
      approvedByOne,
      at("approval.decided", person("bob"), 2),
    ),
    reject(
      ["starter-not-excluded", "The request leaves out who started the run."],
      [["APPROVAL_VOID", "approval.requested", 2]],
      at("approval.requested", set({ excluded: ["bob"] }), 2),
      at("action.claimed", set({ excluded: ["bob"] })),
    ),
    reject(
      ["editor-not-excluded", "The request leaves out who edited."],
      [["APPROVAL_VOID", "approval.requested", 2]],
      at("approval.requested", set({ excluded: ["alice"] }), 2),
      at("action.claimed", set({ excluded: ["alice"] })),
    ),
    reject(
      ["claim-excludes-others", "The claim excludes others than its request."],
      [["APPROVAL_MISMATCH", "action.claimed"]],
      at("action.claimed", set({ excluded: [] })),
    ),
    reject(
      ["excluded-unreadable", "Whom the request excludes is no list of texts."],
      [["EVENT_MALFORMED", "approval.requested", 2]],
      at("approval.requested", set({ excluded: "alice" }), 2),
      at("action.claimed", set({ excluded: "alice" })),
    ),
  ];
}

/** Turns that do not say what and who set them going. */
function hideStarters(reject: Reject): ReceiptVector[] {
  return [
    reject(
      ["starters-left-out", "The turn hides who started it."],
      [...mismatch, ...askedInVain],
      at("turn.started", drop("starters")),
    ),
    reject(
      ["starters-of-others", "The turn names somebody who did not start it."],
      [...mismatch, ...askedInVain],
      at("turn.started", set({ starters: ["alice", "dave"] })),
    ),
    reject(
      ["starter-unknown", "Starters are excluded, and nobody knows who they are."],
      askedInVain,
      at("run.started", person(UNKNOWN_PERSON)),
      at("turn.started", drop("trigger")),
      at("turn.started", set({ starters: [UNKNOWN_PERSON] })),
      at("approval.requested", set({ excluded: [UNKNOWN_PERSON] })),
      at("approval.requested", set({ excluded: [UNKNOWN_PERSON, "bob"] }), 2),
      at("action.claimed", set({ excluded: [UNKNOWN_PERSON, "bob"] })),
    ),
    reject(
      ["trigger-of-another-event", "The turn names another event than the one it began with."],
      mismatch,
      at("turn.started", spoilTrigger({ hash: "0".repeat(64) })),
    ),
    reject(
      ["trigger-by-somebody-else", "The turn says that somebody else caused what it began with."],
      mismatch,
      at("turn.started", spoilTrigger({ by: { kind: "host", id: "host" } })),
    ),
  ];
}

function all(...changes: Changes): ReturnType<typeof at> {
  return (events) => changes.reduce<RawEvent[]>((before, change) => change(before), [...events]);
}

function spoilTrigger(fields: Readonly<Record<string, unknown>>): Parameters<typeof at>[1] {
  return (event) => {
    const { trigger: before } = event.content;
    const trigger = { ...Object(before), ...fields };
    return { ...event, content: { ...event.content, trigger } };
  };
}
