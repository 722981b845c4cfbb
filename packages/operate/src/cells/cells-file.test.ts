import { expect, test } from "vitest";
import { CELL_WEIGHT_MAX, CELLS_MAX, NAME_LISTS_MAX, parseCells } from "./cells-file.ts";

const one = { name: "a", tag: "00a", url: "http://10.0.0.1:8787" };
const other = { name: "b", tag: "00b", url: "http://10.0.0.2:8787" };
const parse = (value: unknown) => parseCells(JSON.stringify(value));

test("cells are in the order of their tags, the one without last", () => {
  const old = { name: "old", url: "http://10.0.0.3:8787" };
  const read = parse({ cells: [old, other, one], names: [["old"], ["a", "b"]] });
  expect(read).toMatchObject({
    kind: "read",
    cells: {
      all: [{ name: "a", weight: 1 }, { name: "b" }, { name: "old", tag: undefined }],
      names: [[{ name: "old" }], [{ name: "a" }, { name: "b" }]],
      isHeld: false,
    },
  });
});

test.each<[string, unknown]>([
  ["an unknown field other", { cells: [one], names: [["a"]], other: 1 }],
  ["`hold` is true or false", { cells: [one], names: [["a"]], hold: "no" }],
  ["`cells` is a list", { cells: [], names: [["a"]] }],
  ["`cells` is a list", { cells: Array(CELLS_MAX + 1).fill(one), names: [["a"]] }],
  ["a cell is an object", { cells: ["a"], names: [["a"]] }],
  ["the name of a cell", { cells: [{ ...one, name: "A b" }], names: [["a"]] }],
  ["a has an unknown field port", { cells: [{ ...one, port: 1 }], names: [["a"]] }],
  ["the tag of a", { cells: [{ ...one, tag: "00A" }], names: [["a"]] }],
  ["the tag of a", { cells: [{ ...one, tag: "0a" }], names: [["a"]] }],
  ["the url of a", { cells: [{ ...one, url: "ftp://10.0.0.1" }], names: [["a"]] }],
  ["the url of a", { cells: [{ ...one, url: "http://10.0.0.1/v1" }], names: [["a"]] }],
  ["the url of a", { cells: [{ ...one, url: "http://ada:key@10.0.0.1" }], names: [["a"]] }],
  ["the weight of a", { cells: [{ ...one, weight: CELL_WEIGHT_MAX + 1 }], names: [["a"]] }],
  ["the weight of a", { cells: [{ ...one, weight: 0.5 }], names: [["a"]] }],
  ["in common", { cells: [one, { ...other, tag: "00a" }], names: [["a"]] }],
  ["in common", { cells: [one, { ...other, name: "a" }], names: [["a"]] }],
  ["in common", { cells: [one, { ...other, url: one.url }], names: [["a"]] }],
  ["`names` is a list", { cells: [one] }],
  ["`names` is a list", { cells: [one], names: [[]] }],
  ["`names` is a list", { cells: [one], names: [["a", "a"]] }],
  ["`names` is a list", { cells: [one], names: Array(NAME_LISTS_MAX + 1).fill(["a"]) }],
  ["not among `cells`", { cells: [one], names: [["a", "b"]] }],
  ["not an object", []],
])("%s: refused", (message, value) => {
  expect(parse(value)).toEqual({ kind: "unusable", message: expect.stringContaining(message) });
});

test("what is no JSON is refused", () => {
  expect(parseCells("{")).toEqual({ kind: "unusable", message: "not JSON" });
});

test("two without a tag are refused: nobody could tell whose a run is", () => {
  const cells = [one, other].map(({ tag: _, ...cell }) => cell);
  expect(parse({ cells, names: [["a"]] })).toMatchObject({ kind: "unusable" });
});
