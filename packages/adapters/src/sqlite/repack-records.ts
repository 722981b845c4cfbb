/**
 * Brings records of the first steps, event by event and deflated, into today's form: a step of the
 * schema calls it.
 */
import type { DatabaseSync, SQLInputValue } from "node:sqlite";
import { inflateRawSync } from "node:zlib";
import { packEnvelope } from "../pack-envelope.ts";
import { PACKED_TEXT_BYTES_MAX, packText } from "../pack-text.ts";
import { RECORD_WORDS } from "../record-words.ts";

const dictionary = new TextEncoder().encode(RECORD_WORDS);

/** Lets the steps of the schema call what repacks. */
export function defineRepacking(db: DatabaseSync): void {
  const options = { deterministic: true, directOnly: true };
  db.function("repack_event", options, (body) => packText(`[${unpackRecord(body)}]`));
  db.function("repack_envelope", options, (body) => packEnvelope(JSON.parse(unpackRecord(body))));
}

/** The text of a deflated record; throws when the value is none. */
function unpackRecord(value: SQLInputValue): string {
  if (!(value instanceof Uint8Array)) throw new TypeError("a record is bytes");
  const limits = { maxOutputLength: PACKED_TEXT_BYTES_MAX };
  return inflateRawSync(value, { dictionary, ...limits }).toString("utf8");
}
