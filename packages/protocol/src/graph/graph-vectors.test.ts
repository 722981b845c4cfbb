/** Holds objects, rules and invariants to the vectors of the specification. */
import { readFileSync } from "node:fs";
import { Ajv2020 } from "ajv/dist/2020.js";
import { describe, expect, test } from "vitest";
import type { JsonValue } from "../canonical-json.ts";
import { type CheckedInvariants, checkInvariants, type Invariant } from "./check-invariants.ts";
import { INVARIANTS } from "./invariants.ts";
import { type ObjectType, parseObject } from "./parse-object.ts";

const spec = new URL("../../../../spec/", import.meta.url);

function readJson(path: string): unknown {
  return JSON.parse(readFileSync(new URL(path, spec), "utf8"));
}

interface Vector<Input, Expect> {
  readonly description: string;
  readonly input: Input;
  readonly expect: Expect;
}

function readVectors<Input, Expect>(name: string) {
  const vectors = readJson(`vectors/graph/graph-${name}.json`) as Vector<Input, Expect>[];
  return vectors.map((vector) => [vector.description, vector] as const);
}

describe("objects", () => {
  const ajv = new Ajv2020({ strict: true, strictRequired: false, allowUnionTypes: true });
  ajv.addSchema(readJson("schemas/graph-object.schema.json") as object);

  test.each(readVectors<{ type: ObjectType; object: unknown }, { kind: string }>("object"))(
    "%s",
    (_, { input: { type, object }, expect: expected }) => {
      const parsed = parseObject(type, object);
      expect(parsed).toMatchObject(expected);
      const schema = `urn:turnseal:spec:0.1:graph-object#/$defs/${type}`;
      expect(ajv.validate(schema, object)).toBe(expected.kind === "parsed");
    },
  );
});

describe("rules", () => {
  test.each(
    readVectors<{ invariants: Invariant[]; document: JsonValue }, CheckedInvariants>("rule"),
  )("%s", (_, { input: { invariants, document }, expect: expected }) => {
    expect(checkInvariants(invariants, document)).toMatchObject(expected);
  });
});

describe("invariants", () => {
  const vectors = readVectors<
    { set: keyof typeof INVARIANTS; document: JsonValue },
    { violations: { id: string }[] }
  >("invariants");

  test.each(vectors)("%s", (_, { input: { set, document }, expect: expected }) => {
    expect(checkInvariants(INVARIANTS[set], document)).toMatchObject(expected);
  });

  test("each is broken by a vector", () => {
    const broken = vectors.flatMap(
      ([
        ,
        {
          expect: { violations },
        },
      ]) => violations,
    );
    const ids = Object.values(INVARIANTS).flatMap((list) => list.map(({ id }) => id));
    expect(new Set(broken.map(({ id }) => id))).toEqual(new Set(ids));
    expect(new Set(ids).size).toBe(ids.length);
  });
});
