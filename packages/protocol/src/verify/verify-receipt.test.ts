/**
 * One receipt: every byte of it counts, and any input gets a verdict.
 *
 * The receipts are those of the specification's vectors.
 */
import { readFileSync } from "node:fs";
import { anything, assert, asyncProperty, constantFrom, nat, string, uint8Array } from "fast-check";
import { describe, expect, test } from "vitest";
import { canonicalize } from "../canonical-json.ts";
import { DEMO_KEY } from "../receipt/demo-key.ts";
import type { PublicKey } from "../receipt/public-key.ts";
import { FINDING_CODES } from "./finding.ts";
import { RECEIPT_BYTES_MAX, verifyReceipt } from "./verify-receipt.ts";

const folder = new URL("../../../../spec/vectors/receipt/", import.meta.url);
const vectors = JSON.parse(readFileSync(new URL("valid-runs.json", folder), "utf8"));
const read = (name: string): readonly string[] =>
  vectors.find((vector: { name: string }) => vector.name === name).input.bundle.receipts;
const receipts = ["one-turn", "model-and-tool", "denied-by-expiry", "open-claim"].flatMap(read);
const numbered = receipts.map((text, index) => [index, text] as const);
const [receipt = ""] = receipts;
const options = { keys: [DEMO_KEY] };

describe("a receipt as it was sealed", () => {
  test.each(numbered)("receipt %i verifies, as text and as bytes", async (_, text) => {
    const verdict = await verifyReceipt(text, options);
    expect(verdict).toMatchObject({ kind: "valid", id: expect.stringMatching(/^sha256:/) });
    expect(await verifyReceipt(new TextEncoder().encode(`${text}\n`), options)).toEqual(verdict);
  });

  test.each(numbered)("receipt %i with any one byte flipped does not", async (_, text) => {
    const bytes = new TextEncoder().encode(text);
    for (let index = 0; index < bytes.length; index++) {
      const flipped = bytes.with(index, (bytes[index] ?? 0) ^ 1);
      const { kind } = await verifyReceipt(flipped, options);
      if (kind === "valid") expect.fail(`byte ${index} does not count`);
    }
  });
});

describe("size", () => {
  test("RECEIPT_BYTES_MAX bytes are read, one more is not", async () => {
    const largest = receipt.padEnd(RECEIPT_BYTES_MAX, " ");
    expect(await codeOf(largest)).toBe("RECEIPT_NOT_CANONICAL");
    expect(await codeOf(`${largest} `)).toBe("RECEIPT_TOO_LARGE");
    expect(await codeOf(new Uint8Array(RECEIPT_BYTES_MAX + 1))).toBe("RECEIPT_TOO_LARGE");
  });

  test("it is bytes that count, not letters", async () => {
    expect(await codeOf("ä".repeat(RECEIPT_BYTES_MAX / 2))).toBe("RECEIPT_MALFORMED");
    expect(await codeOf(`${"ä".repeat(RECEIPT_BYTES_MAX / 2)}a`)).toBe("RECEIPT_TOO_LARGE");
  });
});

describe("a key that is not trusted", () => {
  test("is unknown, in the words that were given for it, and signs nothing", async () => {
    const untrusted = new Map([[DEMO_KEY.keyId, "noted, and not trusted"]]);
    expect(await verifyReceipt(receipt, { keys: [], untrusted })).toMatchObject({
      ...{
        kind: "invalid",
        findings: [{ code: "KEY_UNKNOWN", message: "noted, and not trusted" }],
      },
    });
    const others = new Map([["another", "noted"]]);
    expect(await verifyReceipt(receipt, { keys: [], untrusted: others })).toEqual(
      await verifyReceipt(receipt, { keys: [] }),
    );
    expect(await verifyReceipt(receipt, { ...options, untrusted })).toMatchObject({
      kind: "valid",
    });
  });
});

describe("the time in which a key is in use", () => {
  const closedAt = "2026-01-01T00:00:00.000Z";
  const verify = (fields: Partial<PublicKey>) =>
    codeOf(receipt, { keys: [{ ...DEMO_KEY, ...fields }] });

  test("both ends belong to it", async () => {
    expect(await verify({ validFrom: closedAt, validUntil: closedAt })).toBeUndefined();
  });

  test.each([
    { validFrom: "2026-01-01T00:00:00.001Z" },
    { validFrom: "2025-01-01T00:00:00.000Z", validUntil: "2025-12-31T23:59:59.999Z" },
    { validFrom: "always" },
    { validUntil: "never" },
  ])("%j is another time, or none", async (fields) => {
    expect(await verify(fields)).toBe("KEY_NOT_VALID_THEN");
  });
});

describe("whatever is given, the answer is a verdict", () => {
  const isVerdict = async (given: string | Uint8Array): Promise<boolean> => {
    const verdict = await verifyReceipt(given, options);
    if (verdict.kind === "valid") return false;
    return verdict.findings.every(({ code }) => FINDING_CODES.includes(code));
  };

  test("for any bytes", async () => {
    await assert(asyncProperty(uint8Array({ maxLength: 200 }), isVerdict));
  });

  test("for any text", async () => {
    await assert(asyncProperty(string({ unit: "binary", maxLength: 200 }), isVerdict));
    await assert(asyncProperty(string({ maxLength: 200 }), isVerdict));
    expect(await isVerdict("\ud800")).toBe(true);
  });

  test("for an envelope around anything", async () => {
    const envelope = JSON.parse(receipt);
    await assert(
      asyncProperty(
        anything({ maxDepth: 3 }),
        constantFrom(...Object.keys(envelope)),
        (value, name) => isVerdict(JSON.stringify({ ...envelope, [name]: value }) ?? ""),
      ),
    );
  });

  test("for a statement in which anything stands anywhere", async () => {
    const { payload, ...envelope } = JSON.parse(receipt);
    const statement = JSON.parse(atob(payload));
    const names = Object.keys(statement.predicate);
    await assert(
      asyncProperty(anything({ maxDepth: 3 }), nat(names.length - 1), (value, index) => {
        const predicate = { ...statement.predicate, [names[index] ?? ""]: value };
        const text = JSON.stringify({ ...statement, predicate });
        const changed = Buffer.from(text).toString("base64");
        return isVerdict(canonicalize({ ...envelope, payload: changed }));
      }),
    );
  });

  test("for nesting without end", async () => {
    const deep = "[".repeat(100_000);
    expect(await isVerdict(deep + "]".repeat(100_000))).toBe(true);
    const { payload: _, ...envelope } = JSON.parse(receipt);
    const payload = Buffer.from(deep + "]".repeat(100_000)).toString("base64");
    expect(await isVerdict(canonicalize({ ...envelope, payload }))).toBe(true);
  });
});

test("findings repeat nothing of what was given", async () => {
  const hostile = receipt.replace(DEMO_KEY.keyId, "\\u001b[31mgotcha");
  const verdict = await verifyReceipt(hostile, options);
  expect(JSON.stringify(verdict)).not.toContain("gotcha");
});

async function codeOf(given: string | Uint8Array, trusted = options): Promise<string | undefined> {
  const verdict = await verifyReceipt(given, trusted);
  return verdict.kind === "valid" ? undefined : verdict.findings[0]?.code;
}
