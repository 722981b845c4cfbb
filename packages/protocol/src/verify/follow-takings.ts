/**
 * Follows what a run takes back of others (spec/receipt.md §6.6): each action once, and none of a
 * later turn after one of an earlier turn. A settled failure did nothing, and does not count; an
 * unknown word of a settlement leaves the end open.
 */
import { isPlainObject, type JsonValue } from "../canonical-json.ts";
import type { RawEvent } from "../log/raw-event.ts";
import { type Finding, type FindingCode, finding } from "./finding.ts";

const NOTHING_DONE: ReadonlySet<string> = new Set(["failed", "timed-out", "cancelled"]);

export interface TakingFollower {
  follow(event: RawEvent): Finding[];
}

interface Taking {
  readonly run: string;
  readonly turn: number;
  /** Of the action. */
  readonly key: string;
}

export function followTakings(): TakingFollower {
  /**
   * The actions that claims take back, by the keys of claims that may have acted; and the claim of
   * each action.
   */
  const takings = new Map<string, Taking>();
  const takenBy = new Map<string, string>();
  /** The earliest turn of each run with a compensated action. */
  const earliest = new Map<string, number>();
  const claim = (event: RawEvent): Finding[] => {
    const [own, taken] = [keyOf(event), readTaking(event.content["takesBack"])];
    // The rules of groups cover actions that a group takes back in its own run.
    if (taken === undefined || taken.run === event.run) return [];
    const by = takenBy.get(nameOf(taken)) ?? own;
    takings.set(own, taken);
    takenBy.set(nameOf(taken), by);
    if (by !== own) return [fault(event, "EFFECT_REPEATED")];
    const isLater = taken.turn > (earliest.get(taken.run) ?? taken.turn);
    return isLater ? [fault(event, "TURN_ORDER")] : [];
  };
  return {
    follow: (event) => {
      if (event.type === "action.claimed") return claim(event);
      const taken = takings.get(keyOf(event));
      if (taken === undefined) return [];
      const end = event.type === "action.settled" ? event.content["status"] : undefined;
      if (end === "ok") {
        earliest.set(taken.run, Math.min(earliest.get(taken.run) ?? taken.turn, taken.turn));
      } else if (typeof end === "string" && NOTHING_DONE.has(end)) {
        takings.delete(keyOf(event));
        if (takenBy.get(nameOf(taken)) === keyOf(event)) takenBy.delete(nameOf(taken));
      }
      return [];
    },
  };
}

function keyOf({ content: { key } }: RawEvent): string {
  return typeof key === "string" ? key : "";
}

function readTaking(value: JsonValue | undefined): Taking | undefined {
  if (!isPlainObject(value)) return undefined;
  const { run, turn, key } = value;
  const isOne = typeof run === "string" && typeof turn === "number" && typeof key === "string";
  return isOne ? { run, turn, key } : undefined;
}

function nameOf({ run, key }: Taking): string {
  return JSON.stringify([run, key]);
}

function fault({ sequence, turn }: RawEvent, code: FindingCode): Finding {
  const place = turn === undefined ? { sequence } : { sequence, turn };
  return finding(code, `event ${sequence} takes back what it may not`, place);
}
