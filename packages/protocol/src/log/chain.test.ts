/**
 * Holds the code to the vectors of the log. Every file of the folder is named here; an unnamed one
 * fails.
 */
import { readdirSync, readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { canonicalize, type JsonValue } from "../canonical-json.ts";
import { fromHex, hmacSha256Hex } from "../hmac.ts";
import { isBlobRef } from "./blob-ref.ts";
import { type ChainFault, checkChain, EMPTY_HEAD, type Head, hashEvent } from "./chain.ts";
import type { RawEvent } from "./raw-event.ts";

const folder = new URL("../../../../spec/vectors/log/", import.meta.url);

interface Vector<Input, Expect> {
  readonly description: string;
  readonly input: Input;
  readonly expect: Expect;
}

function readVectors<Input, Expect>(file: string): Vector<Input, Expect>[] {
  return JSON.parse(readFileSync(new URL(file, folder), "utf8")) as Vector<Input, Expect>[];
}

/** One test for each vector of a file. */
function drive<Input, Expect>(file: string, check: (input: Input, expect: Expect) => void): void {
  const vectors = readVectors<Input, Expect>(file);
  describe(file, () => {
    test.each(vectors.map((vector) => [vector.description, vector] as const))("%s", (_, vector) =>
      check(vector.input, vector.expect),
    );
  });
}

interface ChainInput {
  readonly run: string;
  readonly after: Head;
  readonly events: readonly RawEvent[];
}

drive("event-hash.json", (input: { event: RawEvent }, expected: Record<string, string>) => {
  const { hash: _, ...unsigned } = input.event;
  expect(canonicalize(unsigned)).toBe(expected["canonical"]);
  expect(hashEvent(input.event)).toBe(expected["hash"]);
});

drive("chain.json", ({ run, after, events }: ChainInput, expected: ChainFault) => {
  expect(checkChain(run, after, events)).toEqual(expected);
});

drive(
  "content-digest.json",
  (input: { key: string; content: JsonValue }, expected: Record<string, JsonValue>) => {
    const bytes = new TextEncoder().encode(canonicalize(input.content));
    const digest = `hmac-sha256:${hmacSha256Hex(fromHex(input.key), bytes)}`;
    expect({ digest, size: bytes.length, mediaType: "application/json" }).toEqual(expected);
    expect(isBlobRef(expected)).toBe(true);
  },
);

test("every file of the folder is driven, here or by the stores, and holds vectors", () => {
  const names = readdirSync(folder).sort();
  expect(names).toEqual(["append.json", "chain.json", "content-digest.json", "event-hash.json"]);
  for (const name of names) {
    const vectors = readVectors(name);
    expect(vectors.length).toBeGreaterThan(4);
    for (const vector of vectors)
      expect(Object.keys(vector), name).toEqual(["description", "input", "expect"]);
  }
});

test("every fault of a chain has a vector", () => {
  const vectors = readVectors<ChainInput, ChainFault>("chain.json");
  const codes = vectors.flatMap(({ expect: fault }) =>
    fault.kind === "broken" ? [fault.code] : [],
  );
  const all = ["CHAIN_EPOCH", "CHAIN_GAP", "CHAIN_HASH", "CHAIN_PREVIOUS", "CHAIN_RUN"];
  expect([...new Set(codes)].sort()).toEqual(all);
});

test("whatever single field of a chain is changed, the chain breaks at that event", () => {
  const [longest] = readVectors<ChainInput, ChainFault>("chain.json")
    .filter(({ expect: fault }) => fault.kind === "intact")
    .map(({ input }) => input)
    .sort((a, b) => b.events.length - a.events.length);
  const { run, events } = longest ?? { run: "", events: [] };
  expect(events.length).toBe(4);
  for (const [index, event] of events.entries()) {
    for (const field of Object.keys(event)) {
      const changed = events.map((each, at) => (at === index ? { ...each, [field]: 77 } : each));
      const fault = checkChain(run, EMPTY_HEAD, changed as readonly RawEvent[]);
      expect(fault, `${field} of event ${index + 1}`).toMatchObject({
        kind: "broken",
        sequence: index + 1,
      });
    }
  }
});

test("what is no reference to content is not taken for one", () => {
  const reference = { digest: "hmac-sha256:00", size: 1, mediaType: "text/plain" };
  expect(isBlobRef(reference)).toBe(true);
  const { size: _, ...partial } = reference;
  for (const value of [undefined, null, 1, "hmac-sha256:00", [], {}, partial])
    expect(isBlobRef(value)).toBe(false);
});
