import { sampleReceipt } from "@turnseal/ports/contracts";
import { expect, test } from "vitest";
import { packEnvelope, unpackEnvelope } from "./pack-envelope.ts";
import { packText, unpackText } from "./pack-text.ts";

const { envelope } = sampleReceipt(1);
const statement = JSON.stringify({ _type: "x", predicate: { text: "ä\n" } });

test("an envelope comes back as it was, with its fields in their order", () => {
  for (const payload of [
    Buffer.from(statement).toString("base64"),
    Buffer.from(`${statement}\n${statement}\n`).toString("base64"),
    Buffer.from([0xff, 0xfe]).toString("base64"),
    "no base64!",
    "",
  ]) {
    const given = { ...envelope, payload };
    expect(JSON.stringify(unpackEnvelope(packEnvelope(given)))).toBe(JSON.stringify(given));
  }
});

test("what is signed stands there as its own text", () => {
  const given = { ...envelope, payload: Buffer.from(statement).toString("base64") };
  expect(unpackText(packEnvelope(given)).split("\n")[1]).toBe(statement);
});

test("what is not a packed envelope is reported as damage", () => {
  for (const bytes of [new Uint8Array(), packText("no JSON"), packText("{\n{}")])
    expect(() => unpackEnvelope(bytes)).toThrow(expect.objectContaining({ code: "STORE_CORRUPT" }));
});
