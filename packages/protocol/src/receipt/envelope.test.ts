/** DSSE by hand, held against the encoding of @sigstore/core. */
import { dsse } from "@sigstore/core";
import { assert, property, string, uint8Array } from "fast-check";
import { describe, expect, test } from "vitest";
import { parseEnvelope } from "../verify/parse-envelope.ts";
import { encodeForSigning, PAYLOAD_TYPE, receiptId } from "./envelope.ts";

const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);

describe("what is signed", () => {
  test("the example of the DSSE protocol", () => {
    const encoded = encodeForSigning("http://example.com/HelloWorld", bytes("hello world"));
    expect(new TextDecoder().decode(encoded)).toBe(
      "DSSEv1 29 http://example.com/HelloWorld 11 hello world",
    );
  });

  test("any payload of our type is encoded byte for byte as by @sigstore/core", () => {
    assert(
      property(uint8Array({ maxLength: 400 }), (payload) => {
        const theirs = dsse.preAuthEncoding(PAYLOAD_TYPE, Buffer.from(payload));
        expect(Buffer.from(encodeForSigning(PAYLOAD_TYPE, payload)).equals(theirs)).toBe(true);
      }),
    );
  });

  test("any type that is ASCII as well", () => {
    assert(
      property(string({ unit: "binary-ascii" }), (type) => {
        const theirs = dsse.preAuthEncoding(type, Buffer.from("x"));
        expect(Buffer.from(encodeForSigning(type, bytes("x"))).equals(theirs)).toBe(true);
      }),
    );
  });

  test("lengths are in bytes, so that type and payload cannot run into each other", () => {
    const text = new TextDecoder().decode(encodeForSigning("ä", bytes("ö")));
    expect(text).toBe("DSSEv1 2 ä 2 ö");
  });
});

test("a receipt is named by the digest of what was signed", () => {
  expect(receiptId(bytes(""))).toBe(
    "sha256:e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
  );
});

describe("reading an envelope", () => {
  const signatures = '"signatures":[{"keyid":"k","sig":"s"}]';
  const text = `{"payload":"","payloadType":"${PAYLOAD_TYPE}",${signatures}}`;

  test("its canonical form is read, with the line feed that ends a file or without", () => {
    expect(parseEnvelope(text)).toEqual(JSON.parse(text));
    expect(parseEnvelope(`${text}\n`)).toEqual(JSON.parse(text));
  });

  test.each([
    ["not JSON", "{", "RECEIPT_MALFORMED"],
    ["a byte order mark", `\ufeff${text}`, "RECEIPT_MALFORMED"],
    ["no object", "null", "RECEIPT_MALFORMED"],
    ["a field too many", text.replace("{", '{"note":"",'), "RECEIPT_MALFORMED"],
    ["a field too few", text.replace('"payload":"",', ""), "RECEIPT_MALFORMED"],
    ["a field of another kind", text.replace('""', "1"), "RECEIPT_MALFORMED"],
    [
      "a signature with a field too many",
      text.replace('"sig"', '"cert":"","sig"'),
      "RECEIPT_MALFORMED",
    ],
    ["a signature that is none", text.replace(/\[.*\]/, "[null]"), "RECEIPT_MALFORMED"],
    ["a field named __proto__", text.replace("{", '{"__proto__":{},'), "RECEIPT_MALFORMED"],
    ["a space", text.replace(",", ", "), "RECEIPT_NOT_CANONICAL"],
    ["a space at the end", `${text} `, "RECEIPT_NOT_CANONICAL"],
    ["a carriage return", `${text}\r\n`, "RECEIPT_NOT_CANONICAL"],
    [
      "a field twice",
      text.replace('"payload":""', '"payload":"x","payload":""'),
      "RECEIPT_NOT_CANONICAL",
    ],
    ["a lone surrogate", text.replace('"k"', '"\\ud800"'), "RECEIPT_MALFORMED"],
    ["another payload type", text.replace("in-toto+json", "in-toto"), "RECEIPT_TYPE_UNKNOWN"],
  ])("%s is refused", (_, receipt, code) => {
    expect(parseEnvelope(receipt)).toMatchObject({ code });
  });
});
