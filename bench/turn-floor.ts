/**
 * The least that a sealed turn can cost: its events in canonical form, hashed and chained, and its
 * receipt signed. The events are those of a real turn; nobody decides, validates or checks
 * anything.
 */
import type { Signer } from "@turnseal/ports";
import { canonicalize, EMPTY_HEAD, type LoopEvent, sha256Hex } from "@turnseal/protocol";
import {
  buildStatement,
  encodeForSigning,
  PAYLOAD_TYPE,
  toBase64,
} from "@turnseal/protocol/receipts";

/** Runs so many turns, as alike as the sample. */
export async function runFloor(
  sample: readonly LoopEvent[],
  signer: Signer,
  turns: number,
): Promise<readonly object[]> {
  const turnEvents = sample.filter(({ turn }) => turn !== undefined);
  const statement = buildStatement(turnEvents);
  const log: object[] = [];
  let { sequence, hash } = EMPTY_HEAD;
  for (let turn = 1; turn <= turns; turn++) {
    for (const { hash: _, ...event } of sample) {
      sequence += 1;
      const unsigned = { ...event, sequence, previous: hash };
      hash = sha256Hex(canonicalize(unsigned));
      log.push({ ...unsigned, hash });
    }
    const subject = [{ ...statement.subject[0], digest: { sha256: hash } }];
    const payload = new TextEncoder().encode(canonicalize({ ...statement, subject }));
    const signature = await signer.sign(encodeForSigning(PAYLOAD_TYPE, payload));
    log.push({ payload: toBase64(payload), signature: toBase64(signature) });
  }
  return log;
}
