import type { LoopEvent } from "@turnseal/protocol";
import { expect, test } from "vitest";
import { createThreadFold } from "./fold-thread.ts";

const item = (role: string, digest: string, size = 9) => ({
  ...{ role, digest, size },
  mediaType: "application/json",
});

/** Requests of before there were threads, each with its new part and its answer. */
function foldOld(rounds: readonly { added: readonly object[]; answer: object }[]) {
  const fold = createThreadFold("/");
  for (const [index, { added, answer }] of rounds.entries()) {
    const previous = index === 0 ? null : `c${index}`;
    const model = { action: "model", backend: "b", model: "m", context: { previous, added } };
    const claim = { type: "action.claimed", sequence: index * 2 + 1, call: "c", content: model };
    const ok = { action: "model", status: "ok", claim: claim.sequence, result: answer };
    const settled = { type: "action.settled", sequence: index * 2 + 2, call: "c", content: ok };
    for (const event of [claim, settled]) fold.apply(event as unknown as LoopEvent);
  }
  return fold.result();
}

test("an answer without anything is not shown again, wherever an old turn has it", () => {
  const nothing = item("assistant", "nothing", 2);
  const { entries, answer } = foldOld([
    { added: [item("system", "s"), item("user", "words")], answer: nothing },
    { added: [nothing], answer: nothing },
    { added: [nothing], answer: item("assistant", "said") },
  ]);
  expect(entries.map(({ item: { digest } }) => digest)).toEqual(["words"]);
  expect(answer?.digest).toBe("said");
  expect(foldOld([{ added: [item("user", "words")], answer: nothing }]).answer).toBeUndefined();
});
