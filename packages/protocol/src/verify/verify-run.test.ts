/** Whole runs: the vectors of the specification, and events that could be anything. */
import { createHmac } from "node:crypto";
import { readFileSync } from "node:fs";
import { anything, array, assert, asyncProperty, constantFrom } from "fast-check";
import { describe, expect, test } from "vitest";
import type { JsonValue } from "../canonical-json.ts";
import { hashEvent } from "../log/chain.ts";
import type { RawEvent } from "../log/raw-event.ts";
import { DEMO_KEY } from "../receipt/demo-key.ts";
import type { PublicKey } from "../receipt/public-key.ts";
import { FINDING_CODES, type Finding } from "./finding.ts";
import { type RunBundle, verifyBundle } from "./verify-bundle.ts";
import { type RunVerdict, verifyRun } from "./verify-run.ts";
import { verifyTree } from "./verify-tree.ts";

interface Vector {
  readonly name: string;
  readonly description: string;
  readonly input: {
    readonly bundle: Omit<RunBundle, "events"> & { readonly events: readonly RawEvent[] };
    readonly keys: readonly PublicKey[];
    readonly production?: boolean;
  };
  readonly expect: Pick<RunVerdict, "verdict" | "valid" | "findings">;
}

const folder = new URL("../../../../spec/vectors/", import.meta.url);
const files = [
  "receipt/valid-runs",
  "receipt/unsealed-runs",
  "receipt/spoiled-events",
  "receipt/spoiled-receipts",
  "receipt/broken-budgets",
  "receipt/governed-runs",
  "receipt/approved-runs",
  "receipt-conduct/broken-conduct",
  "receipt-conduct/broken-grants",
  "receipt-conduct/broken-items",
  "receipt-conduct/broken-approvals",
  "receipt-conduct/broken-separation",
  "receipt-conduct/broken-plans",
  "receipt-conduct/broken-rollbacks",
];

function readVectors(file: string): Vector[] {
  return JSON.parse(readFileSync(new URL(`${file}.json`, folder), "utf8"));
}

function readRun(name: string, file = "receipt/valid-runs"): Vector["input"]["bundle"] {
  const found = readVectors(file).find((vector) => vector.name === name);
  if (found === undefined) throw new Error(`there is no vector ${name}`);
  return found.input.bundle;
}

const options = { keys: [DEMO_KEY] };

describe.each(files)("%s", (file) => {
  test.each(readVectors(file).map((vector) => [vector.description, vector] as const))(
    "%s",
    async (_, { input: { bundle, ...trust }, expect: expected }) => {
      const { verdict, valid, findings } = await verifyBundle(bundle, trust);
      expect({ verdict, valid }).toEqual({ verdict: expected.verdict, valid: expected.valid });
      expect(sortPlaces(findings)).toEqual(sortPlaces(expected.findings));
    },
  );
});

function sortPlaces(findings: readonly Finding[]): string[] {
  return findings.map(({ code, sequence, turn }) => `${code} ${sequence} ${turn}`).sort();
}

describe("a verdict", () => {
  const bundle = readRun("three-turns");

  test("says up to which event receipts vouch", async () => {
    const verdict = await verifyRun(bundle, options);
    const closed = bundle.events.findLast((event) => event.type === "turn.closed");
    expect(verdict).toMatchObject({ valid: true, receipts: 3, firstWrong: null });
    expect(verdict.sealedUntil).toBe(closed?.sequence);
    expect(
      await verifyRun(readRun("first-turn-is-open", "receipt/unsealed-runs"), options),
    ).toMatchObject({ sealedUntil: 0 });
  });

  test("names the first wrong event, wherever it is", async () => {
    for (const { sequence } of bundle.events) {
      const events = bundle.events.map((event) =>
        event.sequence === sequence ? { ...event, id: `${event.id}x` } : event,
      );
      expect(await verifyRun({ ...bundle, events }, options)).toMatchObject({
        valid: false,
        firstWrong: sequence,
        findings: [{ code: "CHAIN_HASH" }],
      });
    }
  });

  test("does not depend on the order of the receipts", async () => {
    const receipts = bundle.receipts.toReversed();
    expect((await verifyRun({ ...bundle, receipts }, options)).valid).toBe(true);
  });

  test("says which of the receipts is wrong", async () => {
    const receipts = bundle.receipts.with(1, "{}");
    const { findings } = await verifyRun({ ...bundle, receipts }, options);
    expect(findings).toMatchObject([
      { code: "RECEIPT_MALFORMED", receipt: 1 },
      { code: "RECEIPT_MISSING", turn: 2 },
    ]);
  });

  test("of a turn without a receipt says nothing of what the next one follows", async () => {
    const receipts = bundle.receipts.toSpliced(0, 1);
    const { findings } = await verifyRun({ ...bundle, receipts }, options);
    expect(findings.map(({ code }) => code)).toEqual(["RECEIPT_MISSING"]);
  });

  test("is no for a run without events", async () => {
    const { findings } = await verifyRun({ ...bundle, events: [], receipts: [] }, options);
    expect(findings).toMatchObject([{ code: "BUNDLE_MALFORMED" }]);
  });

  test("is no for the events of a run under the name of another", async () => {
    const run = "00000000-0000-4000-8000-000000000000";
    const { findings } = await verifyRun({ ...bundle, run }, options);
    expect(findings[0]).toMatchObject({ code: "CHAIN_RUN", sequence: 1 });
  });
});

test("of several runs, each is verified and all together", async () => {
  const runs = [readRun("three-turns"), readRun("one-turn")];
  const verdict = await verifyTree(runs, options);
  expect(verdict).toMatchObject({ valid: true, set: { runs: 2, receipts: 4 } });
  const [first, second] = runs as [RunBundle, RunBundle];
  const without = await verifyTree([{ ...first, receipts: [] }, second], options);
  expect(without).toMatchObject({ valid: false, set: { valid: true } });
  const twice = await verifyTree([second, second], options);
  expect(twice).toMatchObject({ valid: false, set: { findings: [{ code: "SET_DUPLICATE" }] } });
});

describe("a wait", () => {
  const { run, events: before } = readRun("three-turns");
  const [at, given] = ["2026-01-01T00:00:00.000Z", refOf("a")];
  const decideBy = "2026-01-01T00:01:00.000Z";
  const { call: rootCall = "", actor: kernel } = before[4] as RawEvent;
  const signal = { kind: "signal", key: "s", name: "paid", payload: given, receivedAt: at };
  const ask = (name: string): Said => [
    "question.asked",
    {
      ...{ key: `wait-${name}`, digest: given.digest, loop: "add", version: "1.0.0" },
      ...{ to: "signal", signal: name, request: given, decideBy, path: "/flow" },
    },
  ];
  const answer = (question: number, by: number, brought = given): Said => [
    "question.answered",
    { key: "wait-paid", question, roles: [], receivedAt: at, answer: brought, signal: by },
  ];
  /** The findings when the turn goes on with these events, from its sixth. */
  const findIn = async (...said: readonly Said[]): Promise<string[]> => {
    const events = before.slice(0, 5);
    for (const [type, content] of said) {
      const asked = events[Number(content["question"]) - 1];
      const last = events.at(-1) as RawEvent;
      const { call: _, ...ofRun } = last;
      const place = type === "signal.received" ? {} : { call: rootCall };
      const draft = {
        ...{ ...ofRun, ...place, type, id: `e${events.length}` },
        sequence: last.sequence + 1,
        actor: type === "question.asked" ? kernel : { kind: "person", id: "ada" },
        content: { ...content, ...(asked === undefined ? {} : { hash: asked.hash }) },
        previous: last.hash,
      } as const;
      const { hash: __, ...unhashed } = draft;
      events.push({ ...unhashed, hash: hashEvent(unhashed) } as RawEvent);
    }
    const { findings } = await verifyRun({ run, events, receipts: [] }, options);
    return findings.map(({ code, sequence }) => `${code} ${sequence}`).filter(isNoSeal);
  };

  test("is answered by a signal of its name, before it or after", async () => {
    const came: Said = ["signal.received", signal];
    expect(await findIn(came, ask("paid"), answer(7, 6))).toEqual([]);
    const both = [ask("paid"), ask("paid"), came, came, answer(6, 8), answer(7, 9)];
    expect(await findIn(...both)).toEqual([]);
  });

  test.each<[string, Said[], string]>([
    ["twice by one", [ask("paid"), ask("paid"), answer(7, 6), answer(8, 6)], "APPROVAL_VOID 10"],
    ["by what is none", [ask("paid"), answer(7, 5)], "APPROVAL_VOID 8"],
    ["by one of another name", [ask("sent"), answer(7, 6)], "APPROVAL_VOID 8"],
    ["with what it has not brought", [ask("paid"), answer(7, 6, refOf("b"))], "APPROVAL_VOID 8"],
  ])("is not answered %s", async (_, said, found) => {
    expect(await findIn(["signal.received", signal], ...said)).toEqual([found]);
  });
});

type Said = readonly [type: string, content: Readonly<Record<string, JsonValue>>];

function refOf(letter: string): { digest: string; size: number; mediaType: string } {
  const digest = `hmac-sha256:${letter.repeat(64)}`;
  return { digest, size: 11, mediaType: "application/json" };
}

function isNoSeal(found: string): boolean {
  return !found.includes("UNSEALED");
}

describe("content", () => {
  const bundle = readRun("one-turn");
  const key = Buffer.alloc(32, 1).toString("base64");
  const codesOf = async (content: unknown): Promise<string[]> => {
    const { findings } = await verifyBundle({ ...bundle, content }, options);
    return findings.map(({ code }) => code);
  };

  test("that is what its digest names is good, also a part of it or none", async () => {
    const hmac = createHmac("sha256", Buffer.alloc(32, 1)).update("[1]").digest("hex");
    const blobs = { [`hmac-sha256:${hmac}`]: Buffer.from("[1]").toString("base64") };
    expect(await codesOf({ key, blobs })).toEqual([]);
    expect(await codesOf({ key, blobs: {} })).toEqual([]);
  });

  test.each([
    { key, blobs: { [`hmac-sha256:${"0".repeat(64)}`]: "AA==" } },
    { key, blobs: { "": 1 } },
    { key, blobs: { "": "not base64" } },
    { key: "AA==", blobs: {} },
    { key: `${key}\n`, blobs: {} },
  ])("such as %j is not", async (content) => {
    expect(await codesOf(content)).toEqual(["CONTENT_MISMATCH"]);
  });

  test.each([null, [], {}, { key }, { key, blobs: [] }])("%j is no content", async (content) => {
    expect(await codesOf(content)).toEqual(["BUNDLE_MALFORMED"]);
  });
});

describe("whatever is given, the answer is a verdict", () => {
  const bundle = readRun("model-and-tool");
  const isVerdict = async (value: unknown): Promise<boolean> => {
    const { findings, valid } = await verifyBundle(value, options);
    const isUnchanged = JSON.stringify(value) === JSON.stringify(bundle);
    return valid === isUnchanged && findings.every(({ code }) => FINDING_CODES.includes(code));
  };

  test("for a bundle that is anything", async () => {
    await assert(asyncProperty(anything(), isVerdict));
  });

  test("for events that are anything", async () => {
    await assert(
      asyncProperty(array(anything({ maxDepth: 2 }), { maxLength: 3 }), (events) =>
        isVerdict({ ...bundle, events }),
      ),
    );
  });

  test("for an event with anything anywhere, also with its hash made right", async () => {
    const places = constantFrom(...bundle.events.keys());
    const names = constantFrom(...Object.keys(bundle.events[5] ?? {}), "turn", "call");
    const contents = constantFrom(
      "spending",
      "grant",
      "reserve",
      "spent",
      "claim",
      "key",
      "effect",
    );
    await assert(
      asyncProperty(places, names, anything({ maxDepth: 2 }), (index, name, value) => {
        const events = replaceAt(bundle.events, index, (event) => ({ ...event, [name]: value }));
        return isVerdict({ ...bundle, events: JSON.parse(JSON.stringify(events)) });
      }),
    );
    await assert(
      asyncProperty(places, contents, anything({ maxDepth: 2 }), (index, name, value) => {
        const events = replaceAt(bundle.events, index, (event) => ({
          ...event,
          content: { ...event.content, [name]: value as JsonValue },
        }));
        return isVerdict({ ...bundle, events: rehash(JSON.parse(JSON.stringify(events))) });
      }),
    );
  });
});

function replaceAt(
  events: readonly RawEvent[],
  index: number,
  change: (event: RawEvent) => RawEvent,
): RawEvent[] {
  return events.map((event, place) => (place === index ? change(event) : event));
}

/** The chain as a forger would repair it after changing an event; no receipt seals its end. */
function rehash(events: readonly RawEvent[]): RawEvent[] {
  let previous = "";
  return events.map((event) => {
    const { hash: _, ...draft } = { ...event, previous, id: `${event.id}x` };
    previous = hashEvent(draft);
    return { ...draft, hash: previous };
  });
}
