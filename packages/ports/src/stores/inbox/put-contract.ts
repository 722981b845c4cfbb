import { strict as assert } from "node:assert";
import { JSON_DEPTH_MAX, type JsonValue } from "@turnseal/protocol";
import { OTHER_RUN, SAMPLE_RUN, sampleMessage, takeAndAppend } from "../sample-append.ts";
import type { StoresSentences } from "../stores-subject.ts";
import { fillSentences } from "./fill-contract.ts";
import {
  INBOX_BODY_BYTES_MAX,
  INBOX_KEY_LENGTH_MAX,
  type InboxMessage,
  type PutAnswer,
  type PutRefusal,
} from "./inbox.ts";

const stored: PutAnswer = { kind: "stored" };
const known: PutAnswer = { kind: "known" };
const otherMessage: PutAnswer = { kind: "refused", reason: "other-message" };
const tooLarge: PutAnswer = { kind: "refused", reason: "too-large" };

/** The answers to a message. */
export const putSentences: StoresSentences = {
  "the same message again is known, and waits once": async ({ stores: { inbox } }) => {
    const message = sampleMessage("hello");
    assert.deepEqual(await inbox.put(message), stored);
    const { payload, ...others } = message.body;
    const reordered = { ...message, body: { ...others, payload: payload ?? null } };
    assert.deepEqual([await inbox.put(message), await inbox.put(reordered)], [known, known]);
    assert.equal((await inbox.peek(SAMPLE_RUN)).length, 1);
  },
  "a message that was consumed stays known, and does not come back": async ({ stores }) => {
    const message = sampleMessage("hello");
    await stores.inbox.put(message);
    await takeAndAppend(stores, {}, { consumed: ["hello"] });
    const other = { ...message, body: { name: "other" } };
    assert.deepEqual(await stores.inbox.put(message), known);
    assert.deepEqual(await stores.inbox.put(other), otherMessage);
    assert.deepEqual(await stores.inbox.peek(SAMPLE_RUN), []);
  },
  "another body or kind under the same key is refused, and nothing changes": async ({
    stores: { inbox },
  }) => {
    const message = sampleMessage("hello");
    await inbox.put(message);
    const before = await inbox.peek(SAMPLE_RUN);
    assert.deepEqual(await inbox.put({ ...message, body: { name: "other" } }), otherMessage);
    assert.deepEqual(await inbox.put({ ...message, kind: "cancel" }), otherMessage);
    assert.deepEqual(await inbox.peek(SAMPLE_RUN), before);
  },
  "of equal messages at once exactly one is stored": async ({ stores: { inbox } }) => {
    const message = sampleMessage("hello");
    const answers = await Promise.all(Array.from({ length: 50 }, () => inbox.put(message)));
    assert.equal(answers.filter(({ kind }) => kind === "stored").length, 1);
    assert.equal(answers.filter(({ kind }) => kind === "known").length, 49);
    assert.equal((await inbox.peek(SAMPLE_RUN)).length, 1);
  },
  "the same key in another run is another message": async ({ stores: { inbox } }) => {
    await inbox.put(sampleMessage("hello"));
    const other = { ...sampleMessage("hello", OTHER_RUN), body: { name: "other" } };
    assert.deepEqual(await inbox.put(other), stored);
    assert.deepEqual((await inbox.peek(OTHER_RUN))[0]?.body, other.body);
    assert.equal((await inbox.peek(SAMPLE_RUN)).length, 1);
  },
  "a body of INBOX_BODY_BYTES_MAX bytes is stored, and one byte more is refused": async ({
    stores: { inbox },
  }) => {
    // Two bytes each, so that a store that counts characters is found out.
    const frame = '{"text":""}'.length;
    const text = `x${"ä".repeat((INBOX_BODY_BYTES_MAX - frame - 1) / 2)}`;
    const largest = { ...sampleMessage("largest"), body: { text } };
    const larger = { ...sampleMessage("larger"), body: { text: `${text}x` } };
    assert.deepEqual([await inbox.put(largest), await inbox.put(larger)], [stored, tooLarge]);
    assert.deepEqual((await inbox.peek(SAMPLE_RUN))[0]?.body, { text });
  },
  "a key of INBOX_KEY_LENGTH_MAX units is stored, and one more is refused": async ({
    stores: { inbox },
  }) => {
    const longest = sampleMessage("k".repeat(INBOX_KEY_LENGTH_MAX));
    const longer = sampleMessage("k".repeat(INBOX_KEY_LENGTH_MAX + 1));
    assert.deepEqual([await inbox.put(longest), await inbox.put(longer)], [stored, tooLarge]);
  },
  "what no store can keep is refused, and nothing is thrown": async ({ stores: { inbox } }) => {
    let deep: JsonValue = 1;
    for (let level = 0; level < JSON_DEPTH_MAX; level++) deep = [deep];
    let shared: JsonValue = "x";
    for (let level = 0; level < 60; level++) shared = [shared, shared];
    const sample = sampleMessage("sample");
    const refused = (reason: PutRefusal): PutAnswer => ({ kind: "refused", reason });
    const cases: [InboxMessage, PutRefusal][] = [
      [{ ...sample, body: { deep } }, "too-large"],
      [{ ...sample, body: { shared } }, "too-large"],
      [{ ...sample, body: { text: "\ud800" } }, "unreadable"],
      [{ ...sample, body: { "\udc00": 1 } }, "unreadable"],
      [{ ...sample, body: { number: Number.NaN } }, "unreadable"],
      [{ ...sample, key: "" }, "unreadable"],
      [{ ...sample, key: "a\0b" }, "unreadable"],
      [{ ...sample, key: "\ud800" }, "unreadable"],
    ];
    for (const [message, reason] of cases)
      assert.deepEqual(await inbox.put(message), refused(reason));
    assert.equal(await inbox.has(SAMPLE_RUN), false);
    // NUL is a character like any other inside of a body.
    const odd = { ...sample, body: { text: "a\0b", number: 1e300 } };
    assert.deepEqual(await inbox.put(odd), stored);
    assert.deepEqual((await inbox.peek(SAMPLE_RUN))[0]?.body, odd.body);
  },
  ...fillSentences,
  "a message for a run that was erased is refused": async ({ stores: { inbox, blobs } }) => {
    await inbox.put(sampleMessage("before"));
    await blobs.erase(SAMPLE_RUN);
    for (const key of ["before", "after"]) {
      const answer = await inbox.put(sampleMessage(key));
      assert.deepEqual(answer, { kind: "refused", reason: "erased" });
    }
    assert.deepEqual(await inbox.peek(SAMPLE_RUN), []);
    assert.deepEqual(await inbox.put(sampleMessage("hello", OTHER_RUN)), stored);
  },
};
