/** A grant that expires while the runs of a fan-out are on their way (spec/flow.md §5.10). */
import { expect, test } from "vitest";
import { openSpreadDesk, type SpreadDesk, spread } from "../__fixtures__/spread-desk.ts";

const abcd = ["a", "b", "c", "d"];
const grant = { expiresAt: "2026-01-01T00:00:10.000Z" };
const LONG_MS = 20_000;

async function expectSound(desk: SpreadDesk, runs: number): Promise<void> {
  const judged = await desk.judge();
  expect(judged).toMatchObject({ codes: [], runs });
  expect(new Set(judged.replays)).toEqual(new Set(["identical"]));
}

async function listEnds(desk: SpreadDesk): Promise<unknown[]> {
  return (await desk.events()).flatMap((event) =>
    event.type === "item.closed" ? [[event.content.index, event.content.code]] : [],
  );
}

test.each(abcd)("what was started before it expired is joined: it expires in %s", async (when) => {
  const desk = await openSpreadDesk(spread({ const: abcd }), {
    grant,
    act: (at, clock) => {
      if (at === when) clock.advance(LONG_MS);
      return at;
    },
  });
  const late = abcd.slice(abcd.indexOf(when) + 1);
  await desk.drive();
  // Runs that have not acted yet may not: their grant is a part of the expired one.
  expect(desk.paid).toEqual(abcd.filter((at) => !late.includes(at)));
  expect(await listEnds(desk)).toEqual([]);
  expect(await desk.stopOf(desk.run)).toBe(late.length === 0 ? "goal-reached" : "failed");
  if (late.length === 0) expect(await desk.output()).toEqual(abcd);
  await expectSound(desk, 5);
});

test("what was not started by then is denied, and what was keeps what it did", async () => {
  const desk = await openSpreadDesk(spread({ const: abcd }, { concurrency: 1 }), {
    grant,
    act: (at, clock) => {
      if (at === "b") clock.advance(LONG_MS);
      return at;
    },
  });
  expect(await desk.drive()).toBe("denied");
  expect(desk.paid).toEqual(["a", "b"]);
  expect(await listEnds(desk)).toEqual([
    [2, "POLICY_DENIED"],
    [3, undefined],
  ]);
  await expectSound(desk, 3);
});
