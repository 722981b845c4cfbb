import { inCell, uuidFrom } from "@turnseal/protocol";
import { describe, expect, test } from "vitest";
import type { Cell, Cells } from "./cells-file.ts";
import { chooseByWeight, placeChat, placeKey, placeRun } from "./place.ts";

const cell = (name: string, tag: string | undefined = `00${name}`, weight = 1): Cell => ({
  ...{ name, tag, weight },
  url: new URL(`http://${name}:1`),
});
const [one, two, three, old] = [cell("a"), cell("b"), cell("c"), cell("old")];
const before: Cell = { ...old, tag: undefined };
const cellsOf = (names: readonly (readonly Cell[])[], isHeld = false): Cells => ({
  ...{ all: [one, two, three], names, isHeld, digest: "" },
});
const keys = Array.from({ length: 600 }, (_, index) => `order-${index}`);

describe("a run", () => {
  test("is in the cell of its tag", () => {
    expect(placeRun({ all: [one, two] }, inCell(uuidFrom("1"), "00b"))).toEqual({
      ask: [],
      last: two,
    });
  });
  test("is nowhere under another tag", () => {
    expect(placeRun({ all: [one, two] }, inCell(uuidFrom("1"), "fff")).last).toBeUndefined();
  });
  test("of before there were tags is asked for where they are, after the cell of its tag", () => {
    const all = [one, before];
    expect(placeRun({ all }, inCell(uuidFrom("1"), "00a"))).toEqual({ ask: [one], last: before });
    expect(placeRun({ all }, inCell(uuidFrom("1"), "fff"))).toEqual({ ask: [], last: before });
  });
});

describe("a name", () => {
  test("falls to each cell about equally often", () => {
    const counts = new Map<Cell | undefined, number>();
    for (const key of keys) {
      const { last, ask } = placeKey(cellsOf([[one, two, three]]), key);
      expect(ask).toEqual([]);
      counts.set(last, (counts.get(last) ?? 0) + 1);
    }
    for (const owner of [one, two, three]) expect(counts.get(owner)).toBeGreaterThan(150);
  });

  test("moves only to a cell that is new, and is asked for where it was", () => {
    let moved = 0;
    for (const key of keys) {
      const was = placeKey(cellsOf([[one, two]]), key).last;
      const { ask, last } = placeKey(
        cellsOf([
          [one, two],
          [one, two, three],
        ]),
        key,
      );
      if (last === was) expect(ask).toEqual([]);
      else {
        moved += 1;
        expect({ ask, last }).toEqual({ ask: [was], last: three });
      }
    }
    expect(moved).toBeGreaterThan(150);
    expect(moved).toBeLessThan(250);
  });

  test("that moves is started nowhere while it is held, and found in both", () => {
    for (const key of keys) {
      const was = placeKey(cellsOf([[one, two]]), key).last;
      const { ask, last } = placeKey(
        cellsOf(
          [
            [one, two],
            [one, two, three],
          ],
          true,
        ),
        key,
      );
      if (ask.length === 0) expect(last).toBe(was);
      else expect({ ask, last }).toEqual({ ask: [was, three], last: undefined });
    }
  });

  test("of a chat that is the id of a run is asked for in the cell of the run", () => {
    const id = inCell(uuidFrom("chat"), "00b");
    const { ask, last } = placeChat(cellsOf([[one]]), { agent: "support", id });
    expect({ ask, last }).toEqual({ ask: [two], last: one });
  });
});

test("starts without a name go by weight, and to no cell of weight 0", () => {
  const cells = [cell("a", "00a", 1), cell("b", "00b", 0), cell("c", "00c", 3)];
  const names = [0, 0.24, 0.25, 0.99].map((at) => chooseByWeight(cells, at)?.name);
  expect(names).toEqual(["a", "a", "c", "c"]);
  expect(chooseByWeight([cell("b", "00b", 0)], 0.5)).toBeUndefined();
  expect(chooseByWeight([], 0)).toBeUndefined();
});
