import { expect, test } from "vitest";
import { EDITS_MAX, PLACES_LENGTH_MAX, PLACES_MAX } from "./limits.ts";
import { wasMade } from "./was-made.ts";

const edits = [
  { from: "y", to: "z" },
  { from: "z", to: "a" },
];

/** Two edits that were made in the first piece; each may have been made in every piece. */
function look(pieces: number, piece: string) {
  const before = piece.replace("a", "y") + piece.repeat(pieces - 1);
  return wasMade(piece.repeat(pieces), edits, (text) => text === before);
}

test("PLACES_MAX places beside the first are looked at for all edits, and no more", () => {
  expect(look(PLACES_MAX / 2 + 1, "a")).toBe(true);
  expect(look(PLACES_MAX / 2 + 2, "a")).toBe(false);
});

test("and PLACES_LENGTH_MAX of their texts", () => {
  const pieces = 33;
  const length = PLACES_LENGTH_MAX / (2 * (pieces - 1));
  const pieceOf = (size: number) => `a${"-".repeat(size - 1)}`;
  expect(look(pieces, pieceOf(Math.floor(length / pieces)))).toBe(true);
  expect(look(pieces, pieceOf(Math.ceil(length / pieces)))).toBe(false);
});

test("many edits of a long text that have one place each are taken back", () => {
  const many = Array.from({ length: EDITS_MAX }, (_, at) => ({ from: `<${at}>`, to: `(${at})` }));
  const rest = "-".repeat(PLACES_LENGTH_MAX / EDITS_MAX);
  const before = many.map(({ from }) => from).join("") + rest;
  const text = many.map(({ to }) => to).join("") + rest;
  expect(wasMade(text, many, (each) => each === before)).toBe(true);
  expect(wasMade(`${text}-`, many, (each) => each === before)).toBe(false);
});

test("too many places are no version, and none is compared", () => {
  const compared: string[] = [];
  const text = `a${"b".repeat(36)}`.repeat(900);
  expect(wasMade(text, edits, (each) => compared.push(each) > 0)).toBe(false);
  expect(compared).toEqual([]);
});
