import { expect, test } from "vitest";
import { findMissed } from "../../find-missed.test.data.ts";
import { memorySubject } from "../memory-subject.test.data.ts";
import { OTHER_RUN, SAMPLE_RUN } from "../sample-append.ts";
import type { Stores } from "../stores.ts";
import type { StoresSubject } from "../stores-subject.ts";
import {
  type Append,
  type AppendAnswer,
  type EventLog,
  type FoundBeside,
  READ_EVENTS_MAX,
} from "./event-log.ts";
import { eventLogContract } from "./event-log-contract.ts";

for (const { name, run } of eventLogContract({ create: () => memorySubject() })) test(name, run);

type Change = (log: EventLog, stores: Stores) => Partial<EventLog>;

const withLog = (change: Change) => (): StoresSubject =>
  memorySubject((stores) => ({ log: { ...stores.log, ...change(stores.log, stores) } }));

/** A log that answers an append of its own way when `isTried` says so. */
const withAnswer = (isTried: (answer: AppendAnswer) => boolean, wrong: AppendAnswer) =>
  withLog((log) => ({
    append: async (append) => {
      const answer = await log.append(append);
      return isTried(answer) ? wrong : answer;
    },
  }));

/** A log that writes a conflicting append at the head all the same. */
const withOverwriting = (isTried: (append: Append) => boolean) =>
  withLog((log) => ({
    append: async (append) => {
      const answer = await log.append(append);
      return answer.kind === "conflict" && isTried(append)
        ? { kind: "appended", inboxIsEmpty: true }
        : answer;
    },
  }));

const overwriting = withOverwriting(() => true);

/** A log that ignores epochs: every writer writes under the current one. */
const withoutEpochs = withLog((log) => ({
  append: async (append) => {
    const answer = await log.append(append);
    return answer.kind === "fenced" ? { kind: "appended", inboxIsEmpty: true } : answer;
  },
}));

/** A log that stores what an append carries before it looks whether the append can be made. */
const eager = withLog((log, { blobs }) => ({
  append: async (append) => {
    for (const blob of append.blobs) await blobs.put(append.run, blob);
    return log.append(append);
  },
}));

/** A log with `found`, parts of which are wrong. */
const withFound = (wrong: Partial<FoundBeside>) =>
  withLog((log, { runs, blobs, inbox }) => ({
    takeEpoch: async (run, key = new Uint8Array(32)) => {
      const taken = await log.takeEpoch(run);
      const snapshot = await runs.read(run);
      const found = { snapshot, key: await blobs.keepKey(run, key), inbox: await inbox.peek(run) };
      return { ...taken, found: { ...found, ...wrong } };
    },
  }));

const broken: Readonly<Record<string, () => StoresSubject>> = {
  "an epoch is higher than every earlier one": withLog((log) => ({
    takeEpoch: async (run) => ({ ...(await log.takeEpoch(run)), epoch: 1 }),
  })),
  "epochs that are taken at once are all different": withLog((log) => {
    let count = 0;
    return {
      takeEpoch: async (run) => ({ ...(await log.takeEpoch(run)), epoch: Math.ceil(++count / 2) }),
    };
  }),
  "taking an epoch answers with the head of the log": withLog((log) => ({
    takeEpoch: async (run) => ({ ...(await log.takeEpoch(run)), head: { sequence: 0, hash: "" } }),
  })),
  "whoever takes an epoch with a key finds what the stores would answer": withFound({
    inbox: [],
  }),
  "whoever takes an epoch of an erased run finds no key, and gives it none": withFound({
    key: new Uint8Array(32).fill(7),
  }),
  "an epoch that is taken with a key fences the earlier ones": withLog((log) => ({
    takeEpoch: async (run, key) => {
      const head = key === undefined ? undefined : await log.readHead(run);
      return head === undefined ? log.takeEpoch(run) : { epoch: head.epoch, head };
    },
  })),
  "an append under an earlier epoch is fenced, and names the epoch that holds": withAnswer(
    ({ kind }) => kind === "fenced",
    { kind: "fenced", epoch: 1 },
  ),
  "an append under an epoch that nobody took is fenced": withLog((log) => ({
    append: async (append) => {
      while (((await log.readHead(append.run))?.epoch ?? 0) < append.epoch)
        await log.takeEpoch(append.run);
      return log.append(append);
    },
  })),
  "an append that was made is fenced when it comes again under an earlier epoch": withAnswer(
    ({ kind }) => kind === "fenced",
    { kind: "duplicate", inboxIsEmpty: true },
  ),
  "an epoch of one run says nothing about another": withLog((log) => ({
    takeEpoch: async (run) => {
      await log.takeEpoch(run === SAMPLE_RUN ? OTHER_RUN : SAMPLE_RUN);
      return log.takeEpoch(run);
    },
  })),
  "a run has a head once an epoch of it was taken, and not before": withLog((log) => ({
    readHead: async (run) => (await log.readHead(run)) ?? { sequence: 0, hash: "", epoch: 0 },
  })),
  "an append moves the head to its last event": withLog((log) => ({
    readHead: async (run) => {
      const [first] = await log.read(run, 1);
      const head = await log.readHead(run);
      return head && first && { ...head, sequence: first.sequence, hash: first.hash };
    },
  })),
  "the same append again is a duplicate, and nothing changes": withAnswer(
    ({ kind }) => kind === "duplicate",
    { kind: "conflict", head: { sequence: 1, hash: "" } },
  ),
  "other content under the same sequence number is a conflict": withAnswer(
    ({ kind }) => kind === "conflict",
    { kind: "duplicate", inboxIsEmpty: true },
  ),
  "more events than are there are a conflict": withOverwriting(({ events }) => events.length > 1),
  "an append ahead of the head is a conflict": withOverwriting(({ after }) => after.sequence > 1),
  "an append that follows another hash is a conflict": withOverwriting(({ after }) =>
    after.hash.startsWith("000"),
  ),
  "an append without events throws": withLog((log) => ({
    append: async (append) =>
      append.events.length === 0 ? { kind: "appended", inboxIsEmpty: true } : log.append(append),
  })),
  "an append that does not fit itself throws, and nothing changes": withLog((log) => ({
    append: async (append) => {
      const { snapshot: _, ...rest } = append;
      return log.append(rest);
    },
  })),
  "of writers at once exactly one wins each sequence number": overwriting,
  "of writers that take epochs at once each appends under its own or not at all": withoutEpochs,
  "events, blobs, inbox marks, receipt and snapshot of an append are there together": withLog(
    (log) => ({ append: (append) => log.append({ ...append, consumed: [] }) }),
  ),
  "an append that is not made leaves nothing of what it carries": eager,
  "a second receipt of a turn throws, and leaves nothing of its append": eager,
  "an append says whether a row waits in the inbox": withAnswer(({ kind }) => kind === "appended", {
    kind: "appended",
    inboxIsEmpty: true,
  }),
  "events are read in order, page by page, without gaps": withLog((log) => ({
    read: async (run, from, limit) => (await log.read(run, from, limit)).toReversed(),
  })),
  "a read answers at most its limit, and never more than READ_EVENTS_MAX": withLog((log) => ({
    read: async (run, from, limit = READ_EVENTS_MAX) => [
      ...(await log.read(run, from, limit)),
      ...(limit > READ_EVENTS_MAX ? await log.read(run, from + READ_EVENTS_MAX, 1) : []),
    ],
  })),
  "an event comes back exactly as it was given": withLog((log) => ({
    read: async (run, from, limit) =>
      (await log.read(run, from, limit)).map((event) => JSON.parse(toAscii(event))),
  })),
  "a run has only its own events": withLog((log) => ({
    read: async (run, from, limit) => [
      ...(await log.read(run, from, limit)),
      ...(run === OTHER_RUN ? await log.read(SAMPLE_RUN, from, limit) : []),
    ],
  })),
  "a run that nobody knows has no events": withLog((log) => ({
    read: async (run, from, limit) => {
      if ((await log.readHead(run)) === undefined) throw new Error(`no run ${run}`);
      return log.read(run, from, limit);
    },
  })),
};

function toAscii(value: unknown): string {
  return JSON.stringify(value).replace(/[^ -~]/g, "?");
}

test("every sentence finds a log that does not keep it", async () => {
  expect(await findMissed(eventLogContract, broken)).toEqual([]);
});
