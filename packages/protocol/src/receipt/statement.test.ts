import { readFileSync } from "node:fs";
import { Ajv2020 } from "ajv/dist/2020.js";
import { anything, assert, constantFrom, property } from "fast-check";
import { describe, expect, test } from "vitest";
import { canonicalize } from "../canonical-json.ts";
import type { RawEvent } from "../log/raw-event.ts";
import { TURN_OUTCOMES } from "../outcomes.ts";
import { isStatement } from "../verify/statement-shape.ts";
import { buildStatement, type Statement } from "./statement.ts";

const spec = new URL("../../../../spec/", import.meta.url);
const readJson = (path: string) => JSON.parse(readFileSync(new URL(path, spec), "utf8"));
const vectors: { name: string; input: { bundle: { events: RawEvent[]; receipts: string[] } } }[] = [
  ...readJson("vectors/receipt/valid-runs.json"),
  ...readJson("vectors/receipt/governed-runs.json"),
  ...readJson("vectors/receipt/approved-runs.json"),
];
const schema = readJson("schemas/receipt.schema.json");
const isBySchema = new Ajv2020({ strict: true, strictTypes: false }).compile(schema);

function turnOf(name: string): RawEvent[] {
  const events = vectors.find((vector) => vector.name === name)?.input.bundle.events ?? [];
  const first = events.findIndex(({ type }) => type === "turn.started");
  return events.slice(first, events.findIndex(({ type }) => type === "turn.closed") + 1);
}

function statementOf(name: string): Statement {
  return buildStatement(turnOf(name)) as unknown as Statement;
}

describe("what a receipt says", () => {
  test("which turn, of which run, with which events", () => {
    const turn = turnOf("one-turn");
    const { subject, predicate } = statementOf("one-turn");
    const { sequence: last = 0, hash: head = "", run = "" } = turn.at(-1) ?? {};
    expect(subject).toEqual([{ name: `turnseal:run/${run}/turn/1`, digest: { sha256: head } }]);
    expect(predicate.events).toEqual({ first: turn[0]?.sequence, last, head });
  });

  test("every loop that was called, each once", () => {
    const { loops, loop } = statementOf("model-and-tool").predicate;
    expect(loop).toBe("agent");
    expect(loops.map(({ loop: id }) => id)).toEqual(["agent", "add"]);
    for (const { digest } of loops) expect(digest).toMatch(/^sha256:/);
  });

  test("input and output by digest, grant, and amounts before and after", () => {
    const { input, output, grant, budget } = statementOf("one-turn").predicate;
    expect([input.digest, output?.digest]).toEqual([
      expect.stringMatching(/^hmac-sha256:/),
      expect.stringMatching(/^hmac-sha256:/),
    ]);
    expect(grant.tools).toEqual(["local.add"]);
    expect(budget.before.settled).toEqual({});
    expect(budget.after.settled).toMatchObject({ turns: 1, toolCalls: 1 });
  });

  test("of an action: its claim, its end, its term and its code", () => {
    const [effect, ...others] = statementOf("one-turn").predicate.effects;
    expect(others).toEqual([]);
    expect(effect).toMatchObject({
      action: "tool",
      tool: "local.add",
      term: "local.add",
      build: "add-1",
      effect: "idempotent",
      status: "ok",
      end: { by: { kind: "kernel" } },
    });
  });

  test("of an open claim: that it is unknown", () => {
    const [effect] = statementOf("open-claim").predicate.effects;
    expect(effect?.status).toBe("unknown");
    expect(effect).not.toHaveProperty("end");
  });

  test("of a claim that another replaced: both, and which", () => {
    const [first, second] = statementOf("superseded-claim").predicate.effects;
    expect(first).toMatchObject({ status: "again" });
    expect(second).toMatchObject({ status: "ok", supersedes: first?.claim.sequence });
    expect(second?.key).toBe(first?.key);
  });

  test("of a person's word: whose", () => {
    const effects = statementOf("person-says-happened").predicate.effects;
    expect(effects.at(-1)).toMatchObject({
      status: "happened",
      end: { by: { kind: "person", id: "alice" } },
    });
  });

  test("of an end that was not good: why", () => {
    expect(statementOf("denied-tool").predicate).toMatchObject({
      outcome: "denied",
      reason: "POLICY_DENIED",
      effects: [],
    });
    expect(statementOf("one-turn").predicate).not.toHaveProperty("reason");
  });
});

describe("who allowed each effect", () => {
  const pointsOf = (name: string, type: string) =>
    turnOf(name)
      .filter((event) => event.type === type)
      .map(({ sequence, hash }) => ({ sequence, hash }));

  test("the rule, the request and everybody who decided", () => {
    const [request] = pointsOf("approved-by-two", "approval.requested");
    const [first, second] = pointsOf("approved-by-two", "approval.decided");
    const [effect] = statementOf("approved-by-two").predicate.effects;
    expect(effect?.rule).toEqual({ id: "ask-first", file: "rules.toml", line: 3 });
    expect(effect?.approval).toEqual({
      ...request,
      decisions: [
        { ...first, by: { kind: "person", id: "bob" } },
        { ...second, by: { kind: "person", id: "carol" } },
      ],
    });
  });

  test("after an edit the request that was approved, and not the one before", () => {
    const [, second] = pointsOf("edited", "approval.requested");
    const [effect] = statementOf("edited").predicate.effects;
    expect(effect?.approval).toMatchObject({ ...second, decisions: [{ by: { id: "carol" } }] });
  });

  test("a claim in the place of another is under the same approval", () => {
    const [first, second] = statementOf("approved-and-superseded").predicate.effects;
    expect(second?.supersedes).toBe(first?.claim.sequence);
    expect(second?.approval).toEqual(first?.approval);
  });

  test("nothing where nobody was asked, and no effect where somebody said no", () => {
    expect(statementOf("one-turn").predicate.effects[0]).not.toHaveProperty("approval");
    expect(statementOf("rejected").predicate).toMatchObject({
      outcome: "rejected",
      reason: "approval-rejected",
      effects: [],
    });
  });
});

test("a receipt of a later turn is no larger for it", () => {
  const run = vectors.find(({ name }) => name === "three-turns")?.input.bundle;
  const [, second = "", third = ""] = run?.receipts ?? [];
  expect(Math.abs(third.length - second.length)).toBeLessThan(32);
});

test("it can be built from whatever an event holds, and then has a canonical form", () => {
  const turn = turnOf("model-and-tool");
  const sequences = turn.map(({ sequence }) => sequence);
  const values = anything({ maxDepth: 2 }).map((value) => JSON.parse(JSON.stringify(value) ?? "0"));
  assert(
    property(constantFrom(...sequences), values, (sequence, content) => {
      const isObject = typeof content === "object" && content !== null && !Array.isArray(content);
      const events = turn.map((event) =>
        event.sequence === sequence ? { ...event, content: isObject ? content : {} } : event,
      );
      expect(canonicalize(buildStatement(events))).toMatch(/^{"_type"/);
    }),
  );
});

describe("the shape of a statement", () => {
  const statement = statementOf("model-and-tool");

  test.each(vectors.map(({ name }) => name).filter((name) => turnOf(name).length > 0))(
    "%s has it, also by the schema",
    (name) => {
      expect(isStatement(statementOf(name))).toBe(true);
      expect(isBySchema(statementOf(name))).toBe(true);
    },
  );

  test("the schema has the outcomes of the code", () => {
    expect(schema.$defs.predicate.properties.outcome.enum).toEqual([...TURN_OUTCOMES]);
  });

  test.each(["model-and-tool", "call-with-a-narrower-grant", "approved-out-of-order"])(
    "code and schema refuse the same changes of %s, everywhere",
    (name) => {
      const whole = statementOf(name);
      const wrong = [null, -1, 1.5, 2 ** 53, "", "x", [], {}, [null], true];
      const changes = listPlaces(whole).flatMap((place) =>
        [...wrong, undefined].map((value) => replaceAt(whole, place, value)),
      );
      const refused = changes.filter((changed) => !isBySchema(changed));
      expect(refused.length).toBeGreaterThan(1_000);
      for (const changed of changes) {
        const isSame = isStatement(changed) === isBySchema(changed) || !namesItsTurn(changed);
        if (!isSame) expect.fail(JSON.stringify(changed));
      }
    },
  );

  test("a field that is not known is refused, wherever it stands", () => {
    for (const place of listPlaces(statement)) {
      const value = readAt(statement, place);
      if (typeof value !== "object" || value === null || Array.isArray(value)) continue;
      expect(isStatement(replaceAt(statement, place, { ...value, note: "" }))).toBe(false);
    }
  });

  test("subject and predicate are of the same turn", () => {
    expect(isStatement(replaceAt(statement, ["predicate", "turn"], 2))).toBe(false);
    expect(
      isStatement(replaceAt(statement, ["subject"], [...statement.subject, ...statement.subject])),
    ).toBe(false);
  });
});

type Place = readonly (string | number)[];

function listPlaces(value: unknown, place: Place = []): Place[] {
  if (typeof value !== "object" || value === null) return [place];
  return [
    place,
    ...Object.entries(value).flatMap(([name, item]) => listPlaces(item, [...place, name])),
  ];
}

function readAt(value: unknown, place: Place): unknown {
  return place.reduce<unknown>((inner, name) => Reflect.get(Object(inner), name), value);
}

/** A copy in which something else stands in one place; undefined removes it. */
function replaceAt(value: unknown, place: Place, item: unknown): unknown {
  const copy = JSON.parse(JSON.stringify({ root: value }));
  const path = ["root", ...place];
  const holder = readAt(copy, path.slice(0, -1));
  if (item === undefined) Reflect.deleteProperty(Object(holder), path.at(-1) ?? "");
  else Reflect.set(Object(holder), path.at(-1) ?? "", item);
  return JSON.parse(JSON.stringify(copy)).root;
}

/** The one rule that the schema cannot say. */
function namesItsTurn(value: unknown): boolean {
  const subject = readAt(value, ["subject", 0]);
  const run = readAt(value, ["predicate", "run"]);
  const turn = readAt(value, ["predicate", "turn"]);
  const head = readAt(value, ["predicate", "events", "head"]);
  return (
    readAt(subject, ["name"]) === `turnseal:run/${run}/turn/${turn}` &&
    readAt(subject, ["digest", "sha256"]) === head
  );
}
