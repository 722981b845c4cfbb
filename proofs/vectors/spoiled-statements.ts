/** Statements that are signed with the trusted key and are not those of a receipt. */
import { fromBase64 } from "@turnseal/protocol/receipts";
import { createSeededSigner } from "./demo-signer.ts";
import type { SpoiledReceipt } from "./receipt-vector.ts";
import { signPayload, signStatement } from "./seal-events.ts";

export function spoilStatement(text: string): SpoiledReceipt[] {
  const signer = createSeededSigner();
  const payload = new TextDecoder().decode(fromBase64(JSON.parse(text).payload));
  const statement = JSON.parse(payload);
  const { outcome: _, ...incomplete } = statement.predicate;
  const sign = (fields: object): string => signStatement({ ...statement, ...fields }, signer).text;
  const predicate = (fields: object): string =>
    sign({ predicate: { ...statement.predicate, ...fields } });
  const bytes = (raw: string): string => signPayload(new TextEncoder().encode(raw), signer).text;
  const spoil =
    (code: SpoiledReceipt["code"]) => (name: string, description: string, receipt: string) => ({
      name,
      description,
      receipt,
      code,
    });
  const malformed = spoil("RECEIPT_MALFORMED");
  const shaped = spoil("RECEIPT_NOT_CANONICAL");
  const unknown = spoil("RECEIPT_TYPE_UNKNOWN");
  const twice = payload.replace('{"_type":', '{"_type":"","_type":');
  const point = payload.replace('"turn":1', '"turn":1.0');
  const old = { _type: "https://in-toto.io/Statement/v0.1" };
  const next = { predicateType: "https://turnseal.dev/receipt/v2" };
  const notText = signPayload(new Uint8Array([0xff]), signer).text;
  return [
    malformed("statement-not-json", "The statement is not JSON.", bytes("{")),
    malformed("statement-not-utf8", "The statement is not UTF-8.", notText),
    shaped("statement-white-space", "The statement ends with a space.", bytes(`${payload} `)),
    shaped("statement-field-twice", "The statement names a field twice.", bytes(twice)),
    shaped("statement-number-form", "A number is written in another form.", bytes(point)),
    unknown("statement-not-an-object", "The statement is no object.", bytes("[]")),
    unknown("statement-type", "The statement is of another type.", sign(old)),
    unknown("predicate-type", "The predicate is of another version.", sign(next)),
    malformed("predicate-incomplete", "A field is missing.", sign({ predicate: incomplete })),
    malformed("predicate-fraction", "A number is not whole.", predicate({ semantics: 1.5 })),
    malformed("predicate-unsafe", "A number is too large.", predicate({ semantics: 2 ** 53 })),
    malformed("predicate-unknown-field", "A field is not known.", predicate({ note: "" })),
    malformed("outcome-unknown-word", "The outcome is not known.", predicate({ outcome: "done" })),
    malformed("subject-differs", "Subject and predicate differ.", predicate({ turn: 2 })),
  ];
}
