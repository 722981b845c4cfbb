import { strict as assert } from "node:assert";
import { bindContract, type ContractCase, type ContractOptions } from "../../contract.ts";
import { OTHER_RUN, SAMPLE_RUN, sampleBlob } from "../sample-append.ts";
import type { StoresSentences, StoresSubject } from "../stores-subject.ts";
import type { CacheEntry, CallCache } from "./call-cache.ts";

/** The contract of every index of calls. */
export function callCacheContract(options: ContractOptions<StoresSubject>): ContractCase[] {
  return bindContract(callSentences, options);
}

const nowMs = Date.parse("2026-01-31T12:00:00.000Z");

/** An entry of a run, under a name made of one digit. */
export function sampleEntry(digit: string, fields: Partial<CacheEntry> = {}): CacheEntry {
  return {
    name: digit.repeat(64),
    from: { run: SAMPLE_RUN, turn: 1, call: "call" },
    digest: sampleBlob(digit).digest,
    expiresAtMs: nowMs + 1_000,
    ...fields,
  };
}

function callsOf({ stores: { calls } }: StoresSubject): CallCache {
  assert.ok(calls !== undefined);
  return calls;
}

const callSentences: StoresSentences = {
  "an entry is found under its name, as it was put, and under no other": async (subject) => {
    const calls = callsOf(subject);
    const entry = sampleEntry("1", { from: { run: OTHER_RUN, turn: 7, call: "other" } });
    assert.equal(await calls.find(entry.name, nowMs), undefined);
    await calls.put(entry, nowMs);
    assert.deepEqual(await calls.find(entry.name, nowMs), entry);
    assert.equal(await calls.find("2".repeat(64), nowMs), undefined);
  },
  "an entry is found until its time has come, and not from then on": async (subject) => {
    const calls = callsOf(subject);
    const entry = sampleEntry("1");
    await calls.put(entry, nowMs);
    assert.deepEqual(await calls.find(entry.name, entry.expiresAtMs - 1), entry);
    assert.equal(await calls.find(entry.name, entry.expiresAtMs), undefined);
  },
  "of two entries under one name the later stays": async (subject) => {
    const calls = callsOf(subject);
    const later = sampleEntry("1", {
      from: { run: OTHER_RUN, turn: 2, call: "later" },
      digest: sampleBlob("later").digest,
      expiresAtMs: nowMs + 5_000,
    });
    await calls.put(sampleEntry("1"), nowMs);
    await calls.put(later, nowMs);
    assert.deepEqual(await calls.find(later.name, nowMs), later);
  },
  "entries that are put later leave those whose time has not come": async (subject) => {
    const calls = callsOf(subject);
    await calls.put(sampleEntry("1", { expiresAtMs: nowMs + 10 }), nowMs);
    await calls.put(sampleEntry("2"), nowMs);
    await calls.put(sampleEntry("3"), nowMs + 10);
    assert.deepEqual(await calls.find("2".repeat(64), nowMs + 10), sampleEntry("2"));
  },
  "the first key of calls stays the tenant's": async (subject) => {
    const calls = callsOf(subject);
    const [first, second] = [1, 2].map((byte) => new Uint8Array(32).fill(byte));
    assert.ok(first !== undefined && second !== undefined);
    assert.deepEqual(await calls.keepKey(first), first);
    assert.deepEqual(await calls.keepKey(second), first);
  },
  "an erasure removes the entries that the run wrote, and leaves the others": async (subject) => {
    const calls = callsOf(subject);
    const other = sampleEntry("2", { from: { run: OTHER_RUN, turn: 1, call: "call" } });
    await calls.put(sampleEntry("1"), nowMs);
    await calls.put(other, nowMs);
    await subject.stores.blobs.erase(SAMPLE_RUN);
    assert.equal(await calls.find("1".repeat(64), nowMs), undefined);
    assert.deepEqual(await calls.find(other.name, nowMs), other);
  },
  "after an erasure nothing more is kept for the run": async (subject) => {
    const calls = callsOf(subject);
    await subject.stores.blobs.erase(SAMPLE_RUN);
    await calls.put(sampleEntry("1"), nowMs);
    assert.equal(await calls.find("1".repeat(64), nowMs), undefined);
  },
};
