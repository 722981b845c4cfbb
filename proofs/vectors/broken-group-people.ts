/**
 * A group that a manager approved who did not start the run, and that leaves a part. The shown
 * members are not the held ones, or people decide about it who could not commit it.
 */
import type { JsonObject, RawEvent } from "@turnseal/protocol";
import type { ReceiptVector } from "./receipt-vector.ts";
import type { MadeRun } from "./seal-events.ts";
import { at, by, type Change, drop, type Found, type Name, set, spoil } from "./spoil-run.ts";

/** The claims in order: three held ones, the commit, and the three that act. */
const COMMIT = 4;
const LET_GO = 5;

type Reject = (name: Name, found: readonly Found[], ...changes: Changes) => ReceiptVector;
type Changes = readonly ReturnType<typeof at>[];

export function breakPeople(asked: MadeRun): ReceiptVector[] {
  const reject: Reject = (name, found, ...changes) => spoil(asked, name, found, all(...changes));
  return [...showOther(reject), ...askOthers(reject)];
}

/** People say yes to something else than is held, or done. */
function showOther(reject: Reject): ReceiptVector[] {
  const digest = `hmac-sha256:${"0".repeat(64)}`;
  const inBoth = (change: Change) => [
    at("approval.requested", change),
    at("action.claimed", change, COMMIT),
  ];
  return [
    reject(
      ["group-shown-otherwise", "People were shown other arguments than what commits the group."],
      [["APPROVAL_MISMATCH", "action.claimed", COMMIT]],
      at("approval.requested", setMember({ digest })),
    ),
    reject(
      ["group-committed-to-other-arguments", "What is committed has other arguments than is held."],
      [["TURN_ORDER", "action.claimed", COMMIT]],
      ...inBoth(setMember({ digest })),
    ),
    reject(
      ["group-committed-to-other-code", "What is committed has another build than what is held."],
      [["TURN_ORDER", "action.claimed", COMMIT]],
      ...inBoth(setMember({ build: "2" })),
    ),
    reject(
      ["group-member-let-go-with-other-code", "What acts has another build than what was held."],
      [["TURN_ORDER", "action.claimed", LET_GO]],
      at("action.claimed", set({ build: "2" }), LET_GO),
    ),
  ];
}

/** Others have a say than could commit the group. */
function askOthers(reject: Reject): ReceiptVector[] {
  return [
    reject(
      ["group-member-let-go-to-anybody", "A member that is let go names no role."],
      [["TURN_ORDER", "action.claimed", LET_GO]],
      at("action.claimed", drop("role"), LET_GO),
    ),
    reject(
      ["group-member-let-go-to-the-excluded", "A member that is let go excludes nobody."],
      [["TURN_ORDER", "action.claimed", LET_GO]],
      at("action.claimed", drop("excluded"), LET_GO),
    ),
    reject(
      ["group-part-asked-of-anybody", "Whoever likes may say what becomes of the part."],
      [["TURN_ORDER", "group.closed"]],
      at("question.asked", drop("role")),
    ),
    reject(
      ["group-part-answered-by-the-excluded", "Who started the run says what becomes of the part."],
      [["APPROVAL_VOID", "question.answered"]],
      at("question.answered", by({ kind: "person", id: "alice" })),
    ),
  ];
}

/** Another thing said of the first member. */
function setMember(other: JsonObject): Change {
  return (event) => {
    const { group = {} } = event.content;
    const { path = "", members } = group as JsonObject;
    const [first, ...rest] = (members ?? []) as readonly JsonObject[];
    return set({ group: { path, members: [{ ...first, ...other }, ...rest] } })(event);
  };
}

function all(...changes: Changes) {
  return (events: readonly RawEvent[]): readonly RawEvent[] =>
    changes.reduce<readonly RawEvent[]>((made, change) => change(made), events);
}
