/**
 * Sets of receipts: the vectors of the specification, and the limits of a tree, signed here with
 * the demo key.
 */
import { createPrivateKey, sign } from "node:crypto";
import { readFileSync } from "node:fs";
import { anything, array, assert, asyncProperty, string } from "fast-check";
import { describe, expect, test } from "vitest";
import { canonicalize, type JsonObject } from "../canonical-json.ts";
import { toBase64 } from "../receipt/base64.ts";
import { DEMO_KEY } from "../receipt/demo-key.ts";
import { encodeForSigning, PAYLOAD_TYPE, receiptId } from "../receipt/envelope.ts";
import type { PublicKey } from "../receipt/public-key.ts";
import { type Statement, subjectName } from "../receipt/statement.ts";
import type { Finding } from "./finding.ts";
import { followParents } from "./follow-parents.ts";
import { TREE_BREADTH_MAX, TREE_DEPTH_MAX } from "./receipt-set.ts";
import { type SetVerdict, verifySet } from "./verify-set.ts";

interface Vector {
  readonly name: string;
  readonly description: string;
  readonly input: { readonly receipts: readonly string[]; readonly keys: readonly PublicKey[] };
  readonly expect: Pick<SetVerdict, "verdict" | "valid" | "findings">;
}

const file = new URL("../../../../spec/vectors/receipt-set/sets.json", import.meta.url);
const vectors: Vector[] = JSON.parse(readFileSync(file, "utf8"));
const options = { keys: [DEMO_KEY] };

test.each(vectors.map((vector) => [vector.description, vector] as const))(
  "%s",
  async (_, { input: { receipts, ...trust }, expect: expected }) => {
    const { verdict, valid, findings } = await verifySet(receipts, trust);
    const places = ({ code, turn }: Pick<Finding, "code" | "turn">): string => `${code} ${turn}`;
    expect({ verdict, valid }).toEqual({ verdict: expected.verdict, valid: expected.valid });
    expect(findings.map(places).sort()).toEqual(expected.findings.map(places).sort());
  },
);

describe("limits of a tree", () => {
  test("TREE_DEPTH_MAX runs may stand below each other, one more is a finding", async () => {
    const receipts = makeLine(TREE_DEPTH_MAX + 1);
    expect(await verifySet(receipts.slice(0, TREE_DEPTH_MAX), options)).toMatchObject({
      valid: true,
      runs: TREE_DEPTH_MAX,
    });
    expect((await verifySet(receipts, options)).findings).toMatchObject([{ code: "SET_TOO_DEEP" }]);
  });

  test("TREE_BREADTH_MAX runs may be started by one turn, one more is a finding", async () => {
    const most = signTurn("broad", { effects: makeHandoffs(TREE_BREADTH_MAX) });
    expect((await verifySet([most], options)).valid).toBe(true);
    const more = signTurn("broad", { effects: makeHandoffs(TREE_BREADTH_MAX + 1) });
    expect((await verifySet([more], options)).findings).toMatchObject([{ code: "SET_TOO_BROAD" }]);
  });
});

describe("following parents", () => {
  test("a circle is one finding, however many runs hang on it", () => {
    const parents = new Map<string, string | undefined>([
      ["a", "b"],
      ["b", "c"],
      ["c", "a"],
      ["below", "a"],
      ["apart", undefined],
    ]);
    expect(followParents(parents, 64).map(({ code }) => code)).toEqual(["SET_CYCLE"]);
  });

  test("a run above itself is a circle", () => {
    expect(followParents(new Map([["a", "a"]]), 64)).toMatchObject([
      { code: "SET_CYCLE", run: "a" },
    ]);
  });

  test("a very long line ends, and every branch that is too long is found once", () => {
    const parents = new Map<string, string | undefined>([["0", undefined]]);
    for (let index = 1; index < 100_000; index++) parents.set(`${index}`, `${index - 1}`);
    parents.set("branch", "63");
    const found = followParents(parents, 64);
    expect(found.map(({ run }) => run)).toEqual(["64", "branch"]);
  });

  test("a parent that is not there is where the line ends", () => {
    expect(followParents(new Map([["a", "gone"]]), 1)).toEqual([]);
  });
});

test("whatever is given, the answer is a verdict", async () => {
  const texts = array(string({ maxLength: 50 }), { maxLength: 4 });
  await assert(asyncProperty(texts, async (given) => !(await verifySet(given, options)).valid));
  const values = array(anything({ maxDepth: 2 }), { maxLength: 3 });
  await assert(
    asyncProperty(values, async (given) => {
      const receipts = given.map((value) => JSON.stringify({ payload: value }) ?? "");
      return !(await verifySet(receipts, options)).valid;
    }),
  );
});

const pkcs8Header = Buffer.from("302e020100300506032b657004220420", "hex");
const demoKey = createPrivateKey({
  key: Buffer.concat([pkcs8Header, Buffer.alloc(32, 0x42)]),
  format: "der",
  type: "pkcs8",
});

function readStatement(text: string): Statement {
  return JSON.parse(Buffer.from(JSON.parse(text).payload, "base64").toString("utf8"));
}

/** A first turn like that of the vectors, with other facts: a signer can say anything. */
function signTurn(run: string, facts: JsonObject): string {
  const [template = ""] =
    vectors.find(({ name }) => name === "parent-is-not-there")?.input.receipts ?? [];
  const { predicate, subject, ...types } = readStatement(template);
  const { parent: _, ...said } = predicate;
  const name = subjectName(run, 1);
  const statement = {
    ...types,
    subject: [{ ...subject[0], name }],
    predicate: { ...said, run, ...facts },
  };
  const payload = new TextEncoder().encode(canonicalize(statement));
  const sig = toBase64(sign(null, encodeForSigning(PAYLOAD_TYPE, payload), demoKey));
  return canonicalize({
    payloadType: PAYLOAD_TYPE,
    payload: toBase64(payload),
    signatures: [{ keyid: DEMO_KEY.keyId, sig }],
  });
}

function makeHandoff(child: string, sequence: number, receipt?: string): JsonObject {
  const claim = { sequence, hash: "1".repeat(64) };
  const facts = { key: child, action: "handoff", digest: "", effect: "idempotent", status: "ok" };
  return { ...facts, child, claim, ...(receipt === undefined ? {} : { receipt }) };
}

function makeHandoffs(count: number): JsonObject[] {
  return Array.from({ length: count }, (_, index) => makeHandoff(`child-${index}`, index + 3));
}

/** Runs that start each other in a line, the first on top; each is open when the next is sealed. */
function makeLine(length: number): string[] {
  return Array.from({ length }, (_, index) => {
    const effects = [makeHandoff(`run-${index + 1}`, 3)];
    if (index === 0) return signTurn("run-0", { effects });
    const parent = { run: `run-${index - 1}`, turn: 1, sequence: 3, hash: "1".repeat(64) };
    return signTurn(`run-${index}`, { effects, parent });
  });
}

test("a child's receipt is the one that its parent names", async () => {
  const below = signTurn("child", {
    effects: [],
    parent: { run: "parent", turn: 1, sequence: 3, hash: "1".repeat(64) },
  });
  const id = receiptId(Buffer.from(JSON.parse(below).payload, "base64"));
  const above = signTurn("parent", { effects: [makeHandoff("child", 3, id)] });
  expect((await verifySet([above, below], options)).valid).toBe(true);
  const other = signTurn("parent", { effects: [makeHandoff("other", 3, id)] });
  const { findings } = await verifySet([other, below], options);
  expect(findings.map(({ code }) => code)).toEqual(["SET_PARENT_MISMATCH", "SET_PARENT_MISMATCH"]);
});
