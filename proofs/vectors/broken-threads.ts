/** Runs whose claims and ends say of one thread what does not fit together; all else is right. */
import type { JsonObject } from "@turnseal/protocol";
import { DEMO_KEY } from "@turnseal/protocol/receipts";
import { makeRun } from "./kernel-runs.ts";
import { type ReceiptVector, rejectVector } from "./receipt-vector.ts";
import { editEvent, findSequence, type MadeRun, sealRun } from "./seal-events.ts";

/** A chat of four turns in one thread, with a tool. */
export function makeTalkedRun(): Promise<MadeRun> {
  return makeRun({
    name: "talked",
    description: "Four turns in one thread.",
    script: [
      { toolCalls: [{ tool: "local__add", input: { count: 1 } }] },
      ...["one", "two", "three", "four"],
    ],
    bounds: { goal: { path: "$.output.text", equals: "never" }, turnsMax: 4 },
  });
}

export function breakThreads(talked: MadeRun): ReceiptVector[] {
  const { events } = talked;
  const claims = events.filter(
    ({ type, content: { action } }) => type === "action.claimed" && action === "model",
  );
  const closed = findSequence(events, "turn.closed", 2);
  const { threads } = (events[closed - 1]?.content ?? {}) as { threads: readonly JsonObject[] };
  const [end] = threads;
  const other = `hmac-sha256:${"0".repeat(64)}`;
  const reject = (
    name: string,
    description: string,
    { sequence, turn, content }: { sequence: number; turn: number; content: JsonObject },
  ) =>
    rejectVector(
      name,
      description,
      {
        keys: [DEMO_KEY],
        bundle: sealRun({ ...talked, events: editEvent(events, sequence, content) }),
      },
      [{ code: "THREAD_MISMATCH", sequence, turn }],
    );
  const ofClaim = (nth: number, change: JsonObject) => {
    const { sequence = 0, turn = 0, content } = claims[nth] ?? {};
    const { context } = (content ?? {}) as { context: JsonObject };
    return { sequence, turn, content: { context: { ...context, ...change } } };
  };
  return [
    reject(
      "thread-of-another-end",
      "The first request of a turn names another digest than the end of the turn before.",
      ofClaim(2, { previous: other }),
    ),
    reject(
      "thread-that-forgets",
      "The first request of a run goes on with a conversation that never was.",
      ofClaim(0, { previous: other }),
    ),
    reject("thread-ends-elsewhere", "The end of a turn leaves out a number.", {
      ...{ sequence: closed, turn: 2 },
      content: { threads: [{ ...end, at: Number(end?.["at"]) + 1, added: [] }] },
    }),
  ];
}
