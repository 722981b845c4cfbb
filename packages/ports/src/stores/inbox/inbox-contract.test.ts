import { expect, test } from "vitest";
import { findMissed } from "../../find-missed.test.data.ts";
import { memorySubject } from "../memory-subject.test.data.ts";
import type { Stores } from "../stores.ts";
import type { StoresSubject } from "../stores-subject.ts";
import { INBOX_READ_MAX, type Inbox, type InboxMessage } from "./inbox.ts";
import { inboxContract } from "./inbox-contract.ts";

for (const { name, run } of inboxContract({ create: () => memorySubject() })) test(name, run);

type Change = (inbox: Inbox, stores: Stores) => Partial<Inbox>;

const withInbox = (change: Change) => (): StoresSubject =>
  memorySubject((stores) => ({ inbox: { ...stores.inbox, ...change(stores.inbox, stores) } }));

/** An inbox that stores another message than the given one. */
const withMessage = (change: (message: InboxMessage) => InboxMessage) =>
  withInbox((inbox) => ({ put: (message) => inbox.put(change(message)) }));

/** An inbox whose keys are never the same twice. */
const forgetful = withInbox((inbox) => {
  let count = 0;
  return { put: (message) => inbox.put({ ...message, key: `${message.key} ${count++}` }) };
});

/** An inbox that forgets what was consumed. */
const withAmnesia = withInbox((inbox) => {
  return {
    put: async (message) => {
      const answer = await inbox.put(message);
      const pending = await inbox.peek(message.run);
      const isGone = !pending.some(({ key }) => key === message.key);
      return answer.kind !== "stored" && isGone ? { kind: "stored" } : answer;
    },
  };
});

const broken: Readonly<Record<string, () => StoresSubject>> = {
  "the same message again is known, and waits once": forgetful,
  "a message that was consumed stays known, and does not come back": withAmnesia,
  "another body or kind under the same key is refused, and nothing changes": withMessage(
    (message) => ({ ...message, kind: "signal" }),
  ),
  "of equal messages at once exactly one is stored": forgetful,
  "the same key in another run is another message": withInbox((inbox) => {
    const keys = new Set<string>();
    return {
      put: async (message) => {
        if (keys.has(message.key)) return { kind: "refused", reason: "other-message" };
        keys.add(message.key);
        return inbox.put(message);
      },
    };
  }),
  "a body of INBOX_BODY_BYTES_MAX bytes is stored, and one byte more is refused": withMessage(
    (message) => ({ ...message, body: { text: String(message.body["text"]).slice(0, 9) } }),
  ),
  "a key of INBOX_KEY_LENGTH_MAX units is stored, and one more is refused": withMessage(
    (message) => ({ ...message, key: message.key.slice(0, 9) }),
  ),
  "what no store can keep is refused, and nothing is thrown": withMessage((message) => ({
    ...message,
    key: message.key.replaceAll("\0", "") || "k",
  })),
  "INBOX_ROWS_MAX rows are stored, and one more is refused until one is consumed": withInbox(
    (inbox) => ({
      put: async (message) => {
        const answer = await inbox.put(message);
        return answer.kind === "refused" ? { kind: "stored" } : answer;
      },
    }),
  ),
  "bodies of INBOX_BYTES_MAX bytes together are stored, and a byte more is refused": withMessage(
    (message) => ({ ...message, body: { text: String(message.body["text"]).slice(0, 9) } }),
  ),
  "a full inbox takes a start, results, and INBOX_CANCELS_MAX cancels": withMessage((message) => ({
    ...message,
    kind: "signal",
  })),
  "a look for one kind answers its rows alone, also behind many others": withInbox((inbox) => ({
    peek: async (run, kind) =>
      (await inbox.peek(run)).filter((row) => kind === undefined || row.kind === kind),
  })),
  "whether a row waits is answered for all, and for one kind": withInbox((inbox) => ({
    has: (run) => inbox.has(run),
  })),
  "a message for a run that was erased is refused": () =>
    memorySubject(({ blobs }) => ({ blobs: { ...blobs, erase: async () => {} } })),
  "a row says all of its message, and when the store received it": withInbox((inbox) => ({
    peek: async (run) =>
      (await inbox.peek(run)).map((row) => ({ ...row, receivedAt: new Date(0).toISOString() })),
  })),
  "rows come in the order of their arrival": withInbox((inbox) => ({
    peek: async (run) => (await inbox.peek(run)).toSorted((a, b) => (a.key < b.key ? -1 : 1)),
  })),
  "looking does not take a row away": withInbox((inbox) => {
    let looks = 0;
    return { peek: async (run) => (looks++ > 1 ? [] : inbox.peek(run)) };
  }),
  "a look answers at most INBOX_READ_MAX rows, and the rest when those are consumed": withInbox(
    (inbox) => {
      const put: InboxMessage[] = [];
      return {
        put: (message) => {
          put.push(message);
          return inbox.put(message);
        },
        peek: async (run) => {
          const rows = await inbox.peek(run);
          const [row] = rows;
          const last = put[INBOX_READ_MAX];
          return row !== undefined && last !== undefined ? [...rows, { ...row, ...last }] : rows;
        },
      };
    },
  ),
  "runs with rows are listed by their ids, also before their first event": withInbox(
    (inbox, { log }) => ({
      listTold: async (after) => {
        const told = await inbox.listTold(after);
        const heads = await Promise.all(told.map((run) => log.readHead(run)));
        return told.filter((_, index) => heads[index] !== undefined);
      },
    }),
  ),
  "a list of such runs has at most RUNS_LIST_MAX, and the next begins after the last": withInbox(
    (inbox) => ({ listTold: async (after) => [...(await inbox.listTold(after))].toReversed() }),
  ),
  "a row that an append has consumed is gone, and the others stay": () =>
    memorySubject(({ log }) => ({
      log: { ...log, append: (append) => log.append({ ...append, consumed: ["a", "b"] }) },
    })),
};

test("every sentence finds an inbox that does not keep it", async () => {
  expect(await findMissed(inboxContract, broken)).toEqual([]);
});
