import { strict as assert } from "node:assert";
import { OTHER_RUN, SAMPLE_RUN, sampleMessage, takeAndAppend } from "../sample-append.ts";
import type { StoresSentences } from "../stores-subject.ts";
import {
  INBOX_BODY_BYTES_MAX,
  INBOX_BYTES_MAX,
  INBOX_CANCELS_MAX,
  INBOX_ROWS_MAX,
  type Inbox,
  type InboxMessage,
  type PutAnswer,
} from "./inbox.ts";

const stored: PutAnswer = { kind: "stored" };
const full: PutAnswer = { kind: "refused", reason: "full" };

/** The answers of a full inbox. */
export const fillSentences: StoresSentences = {
  "INBOX_ROWS_MAX rows are stored, and one more is refused until one is consumed": async ({
    stores,
  }) => {
    const { inbox } = stores;
    await fillRows(inbox);
    assert.deepEqual(await inbox.put(sampleMessage("one more")), full);
    // A known message stays known, and another run has an inbox of its own.
    assert.deepEqual(await inbox.put(sampleMessage("row 0")), { kind: "known" });
    assert.deepEqual(await inbox.put(sampleMessage("row 0", OTHER_RUN)), stored);
    await takeAndAppend(stores, {}, { consumed: ["row 0"] });
    assert.deepEqual(await inbox.put(sampleMessage("one more")), stored);
    assert.deepEqual(await inbox.put(sampleMessage("yet one more")), full);
  },
  "bodies of INBOX_BYTES_MAX bytes together are stored, and a byte more is refused": async ({
    stores: { inbox },
  }) => {
    const text = "x".repeat(INBOX_BODY_BYTES_MAX - '{"text":""}'.length);
    for (let row = 0; row < INBOX_BYTES_MAX / INBOX_BODY_BYTES_MAX; row++)
      assert.deepEqual(await inbox.put({ ...sampleMessage(`row ${row}`), body: { text } }), stored);
    assert.deepEqual(await inbox.put({ ...sampleMessage("more"), body: {} }), full);
  },
  "a full inbox takes a start, results, and INBOX_CANCELS_MAX cancels": async ({
    stores: { inbox },
  }) => {
    await fillRows(inbox);
    const put = (kind: InboxMessage["kind"], key: string) =>
      inbox.put({ run: SAMPLE_RUN, key, kind, body: {} });
    for (let cancel = 0; cancel < INBOX_CANCELS_MAX; cancel++)
      assert.deepEqual(await put("cancel", `cancel ${cancel}`), stored);
    assert.deepEqual(await put("cancel", "one more"), full);
    assert.deepEqual([await put("start", "start"), await put("result", "r")], [stored, stored]);
    for (const kind of ["signal", "resolve", "decide", "answer"] as const)
      assert.deepEqual(await put(kind, kind), full);
  },
};

/** Fills an inbox to its last row: many at once, since their order does not matter. */
async function fillRows(inbox: Inbox): Promise<void> {
  const atOnce = 50;
  for (let first = 0; first < INBOX_ROWS_MAX; first += atOnce) {
    const rows = Array.from({ length: atOnce }, (_, index) =>
      sampleMessage(`row ${first + index}`),
    );
    const answers = await Promise.all(rows.map((row) => inbox.put(row)));
    assert.deepEqual(
      answers,
      rows.map(() => stored),
    );
  }
}
