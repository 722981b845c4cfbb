import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { parseEnvelopeId, parseGenerationId } from "./event-envelope.ts";
import { EVENT_TYPES, type EventType } from "./event-types.ts";
import {
  ANSWER_SOURCES_MAX,
  ENVELOPE_BYTES_MAX,
  ENVELOPE_NAME_LENGTH_MAX,
  parseEnvelope,
  parseEventContent,
} from "./parse-envelope.ts";

const folder = new URL("../../../../spec/vectors/session/", import.meta.url);

interface Vector<Input> {
  readonly description: string;
  readonly input: Input;
  readonly expect: { readonly valid: boolean };
}

function readVectors<Input>(file: string): (readonly [string, Vector<Input>])[] {
  const text = readFileSync(new URL(file, folder), "utf8");
  return (JSON.parse(text) as Vector<Input>[]).map((vector) => [vector.description, vector]);
}

describe("content", () => {
  const vectors = readVectors<{ type: EventType; content: unknown }>("event-content.json");
  test.each(vectors)("%s", (_, { input: { type, content }, expect: { valid } }) => {
    const parsed = parseEventContent(type, content);
    expect(parsed).toEqual(
      valid ? { kind: "parsed", content } : { kind: "refused", problem: expect.any(String) },
    );
  });
});

describe("an envelope", () => {
  const vectors = readVectors<{ envelope: unknown }>("envelope.json");
  test.each(vectors)("%s", (_, { input: { envelope }, expect: { valid } }) => {
    expect(parseEnvelope(envelope)).toEqual(
      valid ? { kind: "parsed", envelope } : { kind: "refused", problem: expect.any(String) },
    );
  });
});

const run = "2f1d9a52-8f3a-4c0e-9b7d-0d5f0a1b2c3d";
const createdAt = "2026-01-01T00:00:00.000Z";

function message(text: string): object {
  const place = { id: `${run}/1.0`, run, sequence: 1, createdAt };
  return { ...place, type: "user-message", content: { text } };
}

test("an envelope of ENVELOPE_BYTES_MAX bytes is taken, and not one of a byte more", () => {
  const frame = JSON.stringify(message("")).length;
  const text = "x".repeat(ENVELOPE_BYTES_MAX - frame);
  expect(parseEnvelope(message(text)).kind).toBe("parsed");
  expect(parseEnvelope(message(`${text}x`)).kind).toBe("refused");
  const bare = "x".repeat(ENVELOPE_BYTES_MAX - JSON.stringify({ text: "" }).length);
  expect(parseEventContent("reasoning", { text: bare }).kind).toBe("parsed");
  expect(parseEventContent("reasoning", { text: `${bare}x` }).kind).toBe("refused");
});

test("a name of ENVELOPE_NAME_LENGTH_MAX units is taken, and not a longer one or none", () => {
  const name = "x".repeat(ENVELOPE_NAME_LENGTH_MAX);
  expect(parseEventContent("trigger", { triggerName: name }).kind).toBe("parsed");
  expect(parseEventContent("trigger", { triggerName: `${name}x` }).kind).toBe("refused");
  expect(parseEventContent("trigger", { triggerName: "" }).kind).toBe("refused");
});

test("an answer rests on ANSWER_SOURCES_MAX sources, and not on one more", () => {
  const sources = Array.from({ length: ANSWER_SOURCES_MAX }, (_, index) => ({ id: `${index}` }));
  const parse = (given: unknown) =>
    parseEventContent("assistant-message", { text: "", sources: given });
  expect(parse(sources).kind).toBe("parsed");
  expect(parse([...sources, { id: "more" }]).kind).toBe("refused");
});

test.each([
  ["none", []],
  ["one without an id", [{ url: "https://example.com" }]],
  ["one with a field of another", [{ id: "1", html: "<b>" }]],
  ["one that is no text", [{ id: "1", url: 7 }]],
])("sources of which there is %s are refused", (_, sources) => {
  expect(parseEventContent("assistant-message", { text: "", sources }).kind).toBe("refused");
});

test("a refusal says where, and not what stood there", () => {
  const wrong = { ...message(""), content: { text: { secret: "sesame" } } };
  const problem = "/content/text is not what it must be";
  expect(parseEnvelope(wrong)).toEqual({ kind: "refused", problem });
  const more = { ...message(""), content: { text: "", sesame: 1 } };
  expect(JSON.stringify(parseEnvelope(more))).not.toContain("sesame");
});

test("what was taken is a copy", () => {
  const given = message("Hello") as { content: { text: string } };
  const parsed = parseEnvelope(given);
  given.content.text = "changed";
  expect(parsed).toMatchObject({ envelope: { content: { text: "Hello" } } });
});

test("a name of a prototype's field is neither a type nor a field", () => {
  expect(parseEnvelope({ ...message(""), type: "constructor" }).kind).toBe("refused");
  expect(parseEventContent("user-message", { text: "", constructor: 1 }).kind).toBe("refused");
  expect(parseEventContent("user-message", Object.create({ text: "x" })).kind).toBe("refused");
});

test("ids are read only as they are written", () => {
  expect(parseEnvelopeId(`${run}/12.3`)).toEqual({ run, sequence: 12, index: 3 });
  for (const id of [`${run}/0.0`, `${run}/01.0`, `${run}/1`, `${run}/1.0 `, "/1.0", `${run}/1.-1`])
    expect(parseEnvelopeId(id), id).toBeUndefined();
  expect(parseGenerationId(`${run}/2`)).toEqual({ run, turn: 2 });
  for (const id of [`${run}/0`, run, `${run}/2.0`, "a/1"])
    expect(parseGenerationId(id), id).toBeUndefined();
});

test("spec/session.md lists the types in their order", () => {
  const text = readFileSync(new URL("../../session.md", folder), "utf8");
  const section = text.split("**2.1**")[1]?.split("**2.2**")[0] ?? "";
  const rows = Array.from(section.matchAll(/^\| `([a-z-]+)` \|/gm), (match) => match[1]);
  expect(rows).toEqual([...EVENT_TYPES]);
});
