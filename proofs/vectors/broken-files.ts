/** Files that count in a run although nobody may have said so. */
import type { JsonObject, RawEvent } from "@turnseal/protocol";
import { DEMO_KEY } from "@turnseal/protocol/receipts";
import { type Expected, type ReceiptVector, rejectVector } from "./receipt-vector.ts";
import { type MadeRun, sealRun } from "./seal-events.ts";

/** Runs in which files count that no person said anything of, or that were never managed. */
export function breakFiles(one: MadeRun, closed: number): ReceiptVector[] {
  const page = (digit: string) => ({
    digest: `hmac-sha256:${digit.repeat(64)}`,
    ...{ size: 2, mediaType: "application/json" },
  });
  const [first] = one.events as readonly [RawEvent];
  const received = { key: "word", receivedAt: first.at };
  const person = { kind: "person", id: "ada" };
  const artifacts = {
    ...{ root: "site", files: 1, changed: 1 },
    ...{ changes: page("1"), after: page("2") },
  };
  const adopted = { type: "artifact.adopted", content: { ...received, artifacts } };
  const reconciled = {
    type: "drift.reconciled",
    content: {
      ...{ ...received, way: "files-win", root: "site", difference: page("4"), files: 1 },
      artifacts: { ...artifacts, before: page("2"), after: page("3") },
    },
  };
  const say = (...words: readonly { type: string; content: JsonObject; actor?: object }[]) => {
    const { at, epoch } = one.events[closed - 1] as RawEvent;
    const said = words.map(({ actor = person, ...word }, index): RawEvent => {
      const id = `${first.id.slice(0, -1)}${index}`;
      const { turn: _, call: __, ...rest } = first;
      return { ...rest, id, at, epoch, ...word, actor: actor as RawEvent["actor"] };
    });
    return sealRun({ ...one, events: one.events.toSpliced(closed, 0, ...said) });
  };
  const found = (after: number) =>
    [{ code: "ARTIFACT_MISMATCH", sequence: closed + after }] as const;
  const malformed = (after: number) =>
    [{ code: "EVENT_MALFORMED", sequence: closed + after }] as const;
  const host = { kind: "host", id: "host" };
  return [
    reject(
      "adopted-by-nobody",
      "The host itself has the run manage files.",
      say({ ...adopted, actor: host }),
      malformed(1),
    ),
    reject(
      "reconciled-by-nobody",
      "Files of the run are reconciled, and no person said so.",
      say(adopted, { ...reconciled, actor: host }),
      malformed(2),
    ),
    reject(
      "reconciled-from-nothing",
      "Files are reconciled from a state in which the run never had them.",
      say(reconciled),
      found(1),
    ),
    reject(
      "reconciled-elsewhere",
      "Files are reconciled under another root than the one that was spoken of.",
      say(adopted, { ...reconciled, content: { ...reconciled.content, root: "other" } }),
      found(2),
    ),
  ];
}

function reject(
  name: string,
  description: string,
  bundle: MadeRun,
  findings: Expected,
): ReceiptVector {
  return rejectVector(name, description, { keys: [DEMO_KEY], bundle }, findings);
}
