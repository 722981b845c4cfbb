/** Receipts whose envelope is not as it should be. */
import { canonicalize } from "@turnseal/protocol";
import { fromBase64, toBase64 } from "@turnseal/protocol/receipts";
import { createSeededSigner } from "./demo-signer.ts";
import type { SpoiledReceipt } from "./receipt-vector.ts";

interface Parts {
  readonly payloadType: string;
  readonly payload: string;
  readonly signatures: readonly [{ readonly keyid: string; readonly sig: string }];
}

/** Texts that are not an envelope, or not in its one form. */
export function spoilForm(text: string): SpoiledReceipt[] {
  const { payloadType, payload, signatures }: Parts = JSON.parse(text);
  const envelope = (fields: object): string =>
    canonicalize({ payloadType, payload, signatures, ...fields });
  const spoil =
    (code: SpoiledReceipt["code"]) => (name: string, description: string, receipt: string) => ({
      name,
      description,
      receipt,
      code,
    });
  const malformed = spoil("RECEIPT_MALFORMED");
  const shaped = spoil("RECEIPT_NOT_CANONICAL");
  const twice = text.replace('{"payload":', '{"payload":"","payload":');
  const turned = JSON.stringify({ signatures, payload, payloadType });
  const unknown = spoil("RECEIPT_TYPE_UNKNOWN");
  return [
    malformed("not-json", "The receipt is not JSON.", text.slice(0, -1)),
    malformed("not-an-envelope", "The receipt is JSON of another kind.", "[]"),
    malformed("unknown-field", "A field is not known.", envelope({ note: "" })),
    shaped("white-space", "There is a space.", text.replace(",", ", ")),
    shaped("field-order", "The fields are in another order.", turned),
    shaped("field-twice", "A field is named twice.", twice),
    shaped("escaped", "A letter is escaped.", text.replace("vnd", "\\u0076nd")),
    shaped("two-line-feeds", "Only one line feed may end the text.", `${text}\n\n`),
    unknown("payload-type", "The type is not in-toto's.", envelope({ payloadType: "text/plain" })),
    malformed("payload-line-feed", "Lenient base64.", envelope({ payload: `${payload}\n` })),
    malformed("payload-url-safe", "The other alphabet.", envelope({ payload: "_w==" })),
    malformed("payload-unused-bits", "Bits that mean nothing.", envelope({ payload: "/x==" })),
  ];
}

/** Envelopes whose signature is not one of the payload. */
export function spoilSignature(text: string): SpoiledReceipt[] {
  const { payloadType, payload, signatures }: Parts = JSON.parse(text);
  const [signature] = signatures;
  const envelope = (changed: readonly object[]): string =>
    canonicalize({ payloadType, payload, signatures: changed });
  const stranger = createSeededSigner(1).keyId;
  return [
    {
      name: "no-signature",
      description: "There is no signature.",
      receipt: envelope([]),
      code: "SIGNATURE_MISSING",
    },
    {
      name: "two-signatures",
      description: "There are two signatures.",
      receipt: envelope([signature, signature]),
      code: "SIGNATURE_MISSING",
    },
    {
      name: "signature-flipped",
      description: "One bit of the signature is another.",
      receipt: envelope([{ ...signature, sig: flipBit(signature.sig) }]),
      code: "SIGNATURE_INVALID",
    },
    {
      name: "signature-short",
      description: "The signature is too short.",
      receipt: envelope([{ ...signature, sig: "AAAA" }]),
      code: "SIGNATURE_INVALID",
    },
    {
      name: "key-named-otherwise",
      description: "The signature names a key that is not trusted.",
      receipt: envelope([{ ...signature, keyid: stranger }]),
      code: "KEY_UNKNOWN",
    },
  ];
}

function flipBit(base64: string): string {
  const bytes = fromBase64(base64) ?? new Uint8Array();
  bytes[0] = (bytes[0] ?? 0) ^ 1;
  return toBase64(bytes);
}
