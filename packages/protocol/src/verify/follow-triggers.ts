/**
 * Follows the cause of each turn (spec/receipt.md §6.6): the start of the run, or the signal in the
 * latest decision, and the people behind them.
 */
import { readTexts } from "../approval/approval.ts";
import { canonicalize, isPlainObject, type JsonValue } from "../canonical-json.ts";
import type { RawEvent } from "../log/raw-event.ts";
import { describeTrigger, listStarters, type SetGoing } from "../run/trigger.ts";
import { type Finding, finding } from "./finding.ts";

export interface TriggerFollower {
  follow(event: RawEvent): Finding[];
}

export function followTriggers(): TriggerFollower {
  const signals = new Map<JsonValue | undefined, RawEvent>();
  let parent: JsonValue = null;
  let setGoing: SetGoing = { above: [], startedBy: null, trigger: null };
  return {
    follow: (event) => {
      const { type, content, actor, sequence, turn } = event;
      const { spec, signal } = content;
      if (type === "run.started" && setGoing.startedBy === null) {
        const given = isPlainObject(spec) ? spec : {};
        const above = readTexts(given["starters"]);
        parent = given["parent"] ?? null;
        setGoing = { above, startedBy: actor, trigger: describeTrigger(event) };
      }
      if (type === "signal.received" && content["kind"] === "signal") signals.set(sequence, event);
      if (type === "run.decided" && isPlainObject(signal)) {
        const named = signals.get(signal["sequence"]);
        const isNamed = named !== undefined && named.hash === signal["hash"];
        setGoing = { ...setGoing, trigger: isNamed ? describeTrigger(named) : null };
      }
      if (type !== "turn.started") return [];
      const isOfParent = canonicalize(content["parent"] ?? null) === canonicalize(parent);
      if (isOfParent && isSetGoing(content, setGoing)) return [];
      const message = "the turn names another event, or other people, than set it going";
      const place = turn === undefined ? { sequence } : { sequence, turn };
      return [finding("TRIGGER_MISMATCH", message, place)];
    },
  };
}

/** True when a turn names what set it going; the event may be left out, the people may not. */
function isSetGoing({ trigger, starters }: RawEvent["content"], setGoing: SetGoing): boolean {
  // Where nothing set it going, there is nothing that it could name.
  const known = setGoing.trigger === null ? undefined : canonicalize({ ...setGoing.trigger });
  const isNamed = trigger === undefined || canonicalize(trigger) === known;
  const people = listStarters(setGoing);
  if (people.length === 0) return isNamed && starters === undefined;
  return isNamed && canonicalize(starters ?? null) === canonicalize(people);
}
