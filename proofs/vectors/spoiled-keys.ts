/** Runs with other keys for the verifier than for the signer. */
import type { JsonObject } from "@turnseal/protocol";
import { DEMO_KEY, type PublicKey } from "@turnseal/protocol/receipts";
import { createSeededSigner } from "./demo-signer.ts";
import {
  type ReceiptVector,
  rejectVector,
  type SpoiledReceipt,
  type VectorInput,
} from "./receipt-vector.ts";
import { editEvent, findSequence, type MadeRun, sealRun } from "./seal-events.ts";

const keys = [DEMO_KEY];

export function spoilKeys(run: MadeRun): ReceiptVector[] {
  const stranger = createSeededSigner(1).publicKey;
  const withKey = (fields: Partial<PublicKey>): PublicKey[] => [{ ...DEMO_KEY, ...fields }];
  const reject = (
    name: string,
    description: string,
    input: VectorInput,
    code: SpoiledReceipt["code"],
  ) =>
    rejectVector(name, description, { bundle: run, ...input }, [
      { code },
      { code: "RECEIPT_MISSING", turn: 1 },
    ]);
  return [
    reject("key-unknown", "No trusted key has that name.", { keys: [stranger] }, "KEY_UNKNOWN"),
    reject(
      "key-of-another-statement",
      "A trusted key signed, and the statement names another.",
      { keys: [DEMO_KEY, stranger], bundle: sealRun(run, { signer: createSeededSigner(1) }) },
      "KEY_MISMATCH",
    ),
    reject(
      "key-misnamed",
      "Another key is listed under the name.",
      { keys: withKey({ x: stranger.x }) },
      "KEY_MISNAMED",
    ),
    reject(
      "key-not-yet-valid",
      "The key was not in use yet.",
      { keys: withKey({ validFrom: "2026-01-01T00:00:00.001Z" }) },
      "KEY_NOT_VALID_THEN",
    ),
    reject(
      "key-no-longer-valid",
      "The key was no longer in use.",
      {
        keys: withKey({
          validFrom: "2025-01-01T00:00:00.000Z",
          validUntil: "2025-12-31T23:59:59.999Z",
        }),
      },
      "KEY_NOT_VALID_THEN",
    ),
    reject(
      "key-of-another-issuer",
      "The key is listed for another issuer than the statement says.",
      { keys: withKey({ issuer: "ci" }) },
      "KEY_ISSUER_MISMATCH",
    ),
    reject(
      "demo-key-in-production",
      "The key of the examples is refused in production.",
      { keys, production: true },
      "KEY_DEMO",
    ),
    reject(
      "demo-key-called-hosted",
      "The key of the examples is refused whatever it is called.",
      { keys: withKey({ issuer: "hosted" }), production: true },
      "KEY_DEMO",
    ),
    reject(
      "development-key-in-production",
      "A development key is refused in production.",
      { keys: [stranger], production: true, bundle: signedBy(run, 1) },
      "KEY_DEVELOPMENT",
    ),
  ];
}

/** The same run, sealed with another key. */
export function signedBy(run: MadeRun, byte: number): MadeRun {
  const signer = createSeededSigner(byte);
  const key: JsonObject = { id: signer.keyId, issuer: signer.issuer };
  const events = editEvent(run.events, findSequence(run.events, "turn.closed"), { key });
  return sealRun({ ...run, events }, { signer });
}
