import { manualClock } from "@turnseal/ports";
import { expect, test } from "vitest";
import { type Attempt, answerLost, createAttempt } from "./attempt.ts";

const place = { worker: 0, run: "run", today: undefined, lack: undefined };

function standAtTwo(): { attempt: Attempt; append: Promise<string>; look: Promise<string> } {
  const attempt = createAttempt(place, manualClock());
  const append = attempt.pass("append", () => "appended");
  const look = attempt.pass("has", () => "looked");
  return { attempt, append, look };
}

const listStands = ({ gates }: Attempt): string[] => gates.map(({ what }) => what);

test("an answer that is lost takes no other gate with it", async () => {
  const { attempt, append, look } = standAtTwo();
  const [first] = attempt.gates;
  await first?.openUnheard();
  expect(listStands(attempt)).toEqual(["has"]);
  first?.refuse(answerLost());
  await expect(append).rejects.toThrow("the connection broke");
  expect(listStands(attempt)).toEqual(["has"]);
  await attempt.gates[0]?.open();
  expect(await look).toBe("looked");
  expect(listStands(attempt)).toEqual([]);
});

test("a gate is left by whoever passes it, and by nobody else", async () => {
  const { attempt, append } = standAtTwo();
  await attempt.gates[0]?.open();
  expect(await append).toBe("appended");
  expect(listStands(attempt)).toEqual(["has"]);
});

test("a crashed worker stands at no gate, and comes to none", () => {
  const { attempt } = standAtTwo();
  attempt.crash();
  void attempt.pass("append", () => "appended");
  expect(listStands(attempt)).toEqual([]);
});
