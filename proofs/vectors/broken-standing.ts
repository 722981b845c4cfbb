/**
 * A run whose actions are done under an approval that stands, with one thing changed, as a kernel
 * that errs, or a thief of a key, could make it.
 */
import type { JsonObject, RawEvent } from "@turnseal/protocol";
import type { ReceiptVector } from "./receipt-vector.ts";
import { findSequence, type MadeRun } from "./seal-events.ts";
import {
  at,
  by,
  type Change,
  drop,
  type Found,
  moveBy,
  type Name,
  set,
  spoil,
} from "./spoil-run.ts";

// The model asks, the first payment is approved, and the model asks again: the draws follow.
const FIRST = 4;
const SECOND = 6;
const found = (code: Found[0], nth = FIRST): readonly Found[] => [[code, "action.claimed", nth]];
const both = (code: Found[0]): readonly Found[] => [...found(code), ...found(code, SECOND)];

export function breakStanding(run: MadeRun): ReceiptVector[] {
  const claim: Claim = (name, code, made) =>
    spoil(run, name, found(code), at("action.claimed", made, FIRST));
  return [
    ...breakGiven(run),
    ...breakDraws(claim),
    ...breakCounts(run),
    ...breakTimes(run),
    spoil(
      run,
      ["standing-other-arguments", "The arguments do not fit the pattern."],
      found("APPROVAL_MISMATCH"),
      at("action.claimed", askWith(run), FIRST),
    ),
    spoil(
      run,
      ["standing-of-no-decision", "It names no decision."],
      found("APPROVAL_MISMATCH", SECOND),
      at("action.claimed", say({ decision: 1 }), SECOND),
    ),
    spoil(
      run,
      ["standing-unsaid", "It is claimed under the decision as if that were its own."],
      found("APPROVAL_MISMATCH", SECOND),
      at("action.claimed", drop("drawn"), SECOND),
    ),
    spoil(
      run,
      ["standing-wanted-by-a-term", "A term wants an approval, which one that stands is not."],
      found("APPROVAL_MISSING"),
      wantByTerm,
    ),
  ];
}

type Claim = (name: Name, code: Found[0], made: Change) => ReceiptVector;

/** A decision that gives too much, or by a person without the role. */
function breakGiven(run: MadeRun): ReceiptVector[] {
  // A claim cannot draw on a decision that is void.
  const nothing = both("APPROVAL_MISMATCH");
  const refused: readonly Found[] = [["APPROVAL_VOID", "approval.decided"], ...nothing];
  const given = (name: Name, made: Change): ReceiptVector =>
    spoil(run, name, refused, at("approval.decided", made));
  return [
    given(["standing-too-often", "It is given more uses than the rule allows."], give({ uses: 4 })),
    given(["standing-never", "It is given no use."], give({ uses: 0 })),
    given(
      ["standing-too-long", "It is given more time than the rule allows."],
      give({ withinMs: 60_001 }),
    ),
    given(
      ["standing-for-nothing", "It is given an amount of zero."],
      give({ amounts: { effects: 0 } }),
    ),
    given(["standing-without-pattern", "It has no pattern."], drop("pattern")),
    given(["standing-without-terms", "It has a pattern, and no terms."], drop("standing")),
    spoil(
      run,
      ["standing-without-leave", "The rule lets no approval stand."],
      refused,
      at("approval.requested", drop("mayStand")),
    ),
    spoil(
      run,
      ["standing-beyond-amounts", "The rule limits an amount that the person did not."],
      refused,
      at(
        "approval.requested",
        set({ mayStand: { uses: 3, withinMs: 60_000, amounts: { rounds: 9 } } }),
      ),
    ),
    spoil(
      run,
      ["standing-by-nobody-who-may", "Whoever lets it stand has not the role."],
      [
        ["APPROVAL_VOID", "approval.decided"],
        ["APPROVAL_MISSING", "action.claimed", 2],
        ...nothing,
      ],
      at("approval.decided", set({ roles: [] })),
    ),
  ];
}

/** A claim that draws what does not cover it. */
function breakDraws(claim: Claim): ReceiptVector[] {
  const mismatch = "APPROVAL_MISMATCH";
  return [
    claim(
      ["standing-of-another-tool", "It is for another tool."],
      mismatch,
      set({ tool: "local.sell", term: "local.sell" }),
    ),
    claim(["standing-of-another-build", "It is for another build."], mismatch, set({ build: "2" })),
    claim(
      ["standing-of-another-effect", "It declares another effect."],
      mismatch,
      set({ effect: "once" }),
    ),
    claim(["standing-with-secrets", "It gets a secret."], mismatch, set({ secrets: ["bank"] })),
    claim(
      ["standing-as-final", "It says that nothing takes it back."],
      mismatch,
      set({ irreversible: "paid" }),
    ),
    claim(
      ["standing-of-another-rule", "Another rule asks."],
      mismatch,
      set({ rule: { id: "rest" } }),
    ),
    claim(["standing-of-no-rule", "No rule asks."], mismatch, drop("rule")),
    claim(
      ["standing-of-another-role", "The rule wants another role."],
      mismatch,
      set({ role: "legal" }),
    ),
    claim(
      ["standing-of-another-policy", "Another policy decides."],
      mismatch,
      set({ policy: `sha256:${"0".repeat(64)}` }),
    ),
    claim(
      ["standing-of-another-request", "It names another request."],
      mismatch,
      set({ approval: 1 }),
    ),
    claim(["standing-unnamed", "It names no request."], mismatch, drop("approval")),
    claim(
      ["standing-of-a-plan", "It says it is a step of a plan, too."],
      mismatch,
      set({
        planned: { plan: 1, step: 0, approvers: 1, useWithinMs: 1 },
      }),
    ),
    claim(
      ["standing-said-to-be-more", "It says that more is left."],
      mismatch,
      say({ usesLeft: 2 }),
    ),
    claim(
      ["standing-said-to-be-less", "It says that less is left."],
      mismatch,
      say({ usesLeft: 0 }),
    ),
    claim(
      ["standing-amount-said-to-be-more", "It says that more of an amount is left."],
      mismatch,
      say({ left: { effects: 2 } }),
    ),
    claim(
      ["standing-starter-not-excluded", "The starter is left out of the excluded."],
      "APPROVAL_MISSING",
      set({ excluded: [] }),
    ),
    claim(
      ["standing-by-the-excluded", "The person who let it stand is excluded."],
      "APPROVAL_MISSING",
      set({ excluded: ["alice", "bea"] }),
    ),
  ];
}

/** More is drawn than was given. */
function breakCounts(run: MadeRun): ReceiptVector[] {
  const less =
    (terms: JsonObject, rests: readonly JsonObject[]) => (events: readonly RawEvent[]) => {
      const given = at("approval.decided", give(terms))(events);
      const first = at("action.claimed", say(rests[0] ?? {}), FIRST)(given);
      return at("action.claimed", say(rests[1] ?? {}), SECOND)(first);
    };
  return [
    spoil(
      run,
      ["standing-used-up", "The only use was drawn before."],
      found("APPROVAL_REUSED", SECOND),
      less({ uses: 1 }, [{ usesLeft: 0 }, { usesLeft: 0 }]),
    ),
    spoil(
      run,
      ["standing-spent", "The amount was drawn before."],
      found("APPROVAL_REUSED", SECOND),
      less({ amounts: { effects: 1 } }, [{ left: { effects: 0 } }, { left: { effects: 0 } }]),
    ),
    spoil(
      run,
      ["standing-without-a-price", "It does not say what it costs of a unit."],
      both("APPROVAL_MISSING"),
      less({ amounts: { rounds: 9 } }, [{ left: { rounds: 9 } }, { left: { rounds: 9 } }]),
    ),
  ];
}

/** It is drawn when it stands no more. */
function breakTimes(run: MadeRun): ReceiptVector[] {
  return [
    spoil(
      run,
      ["standing-too-late", "It is drawn a millisecond after its time."],
      both("APPROVAL_EXPIRED"),
      at("approval.decided", give({ withinMs: 999 })),
    ),
    spoil(
      run,
      ["standing-revoked", "It is drawn after it was revoked."],
      found("APPROVAL_EXPIRED", SECOND),
      revoke({}),
    ),
    spoil(
      run,
      ["standing-revoked-by-another-hash", "The revocation is not bound to the decision."],
      [["APPROVAL_VOID", "signal.received"]],
      revoke({ hash: "0".repeat(64) }),
    ),
    spoil(
      run,
      ["standing-revoked-of-nothing", "The revocation names no decision."],
      [["APPROVAL_VOID", "signal.received"]],
      revoke({ decision: 1 }),
    ),
  ];
}

/** A grant whose one term wants the approval of a role, and the first draw under it. */
function wantByTerm(events: readonly RawEvent[]): RawEvent[] {
  const { spec } = (events[0]?.content ?? {}) as { spec: JsonObject };
  const term = {
    ...{ id: "sums", family: "acme.sums", resource: "sums:main", verbs: ["write"] },
    ...{ capabilities: [], bounds: {}, conditions: [], approvals: ["finance"] },
  };
  const grant = { ...(spec["grant"] as JsonObject), terms: [term] };
  const started = at("run.started", set({ spec: { ...spec, grant } }))(events);
  const turned = at("turn.started", set({ grant }))(started);
  return at("action.claimed", set({ terms: ["sums"] }), FIRST)(turned);
}

/** Other terms of the decision. */
function give(terms: JsonObject): Change {
  return (event) => {
    const { standing } = event.content;
    return set({ standing: { ...Object(standing), ...terms } })(event);
  };
}

/** Other words of a claim on the approval that it draws. */
function say(fields: JsonObject): Change {
  return (event) => {
    const { drawn } = event.content;
    return set({ drawn: { ...Object(drawn), ...fields } })(event);
  };
}

/** The pattern in place of the arguments: as arguments it fits nothing. */
function askWith({ events }: MadeRun): Change {
  const decided = events[findSequence(events, "approval.decided") - 1] as RawEvent;
  const { pattern = null } = decided.content;
  return set({ request: pattern });
}

/** A revocation, directly before the second draw. */
function revoke(fields: JsonObject) {
  return (events: readonly RawEvent[]): RawEvent[] => {
    const claim = findSequence(events, "action.claimed", SECOND);
    const decided = events[findSequence(events, "approval.decided") - 1] as RawEvent;
    const { call: _, parentCall: __, ...next } = events[claim - 1] as RawEvent;
    const { sequence: decision, hash } = decided;
    const word = { kind: "revoke", key: "revoke", receivedAt: next.at, decision, hash };
    const revoked: RawEvent = { ...next, type: "signal.received", content: { ...word, ...fields } };
    const told = by({ kind: "person", id: "cem" })(revoked);
    return moveBy(1, claim - 1, events.toSpliced(claim - 1, 0, told));
  };
}
