import { type Clock, SEALING_MS_MAX, type Signer } from "@turnseal/ports";
import type { Block } from "@turnseal/protocol";
import type { Appender } from "../log/appender.ts";

export type SignerSearch =
  | {
      readonly kind: "found";
      readonly signer: Signer;
      /** Its key is valid until then, as far as is known. */
      readonly sealByMs: number;
    }
  | { readonly kind: "blocked"; readonly block: Block };

interface SigningPlace {
  readonly signer: Signer;
  readonly clock: Clock;
  readonly appender: Pick<Appender, "lastMs">;
}

/**
 * Returns the current signer. A process can outlive its key, and receipts under an expired key
 * never verify. So it asks before each seal, and without a valid key it seals nothing.
 */
export async function findSigner({ signer, clock, appender }: SigningPlace): Promise<SignerSearch> {
  if (signer.current === undefined)
    return { kind: "found", signer, sealByMs: Number.POSITIVE_INFINITY };
  const askedMs = Math.max(clock.now(), appender.lastMs());
  const current = await signer.current(askedMs);
  return current === undefined
    ? { kind: "blocked", block: { cause: "key-ended", what: signer.keyId } }
    : { kind: "found", signer: current, sealByMs: askedMs + SEALING_MS_MAX };
}
