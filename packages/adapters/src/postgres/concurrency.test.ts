/** Many writers at once: more connections than one pool has, and other processes. */
import { spawn } from "node:child_process";
import { fileURLToPath } from "node:url";
import type { AppendAnswer, Stores } from "@turnseal/ports";
import { sampleAppend, sampleBlob, sampleMessage } from "@turnseal/ports/contracts";
import { checkChain, EMPTY_HEAD } from "@turnseal/protocol";
import { afterAll, beforeAll, expect, test } from "vitest";
import { createScratch, type Scratch } from "./scratch-database.test.data.ts";

const run = "2f1d9a52-8f3a-4c0e-9b7d-0d5f0a1b2c3d";
const WRITERS = 50;
const ROUNDS = 20;

let scratch: Scratch;
beforeAll(async () => {
  scratch = await createScratch();
});
afterAll(() => scratch.drop());

test("of 50 writers on 50 connections exactly one wins each number, without a gap", async () => {
  const tenant = "writers";
  const first = await scratch.open({ tenant });
  const pools: Stores[] = [first];
  for (let pool = 1; pool < 5; pool++) pools.push(await scratch.open({ tenant }));
  const { epoch } = await first.log.takeEpoch(run);
  let after = EMPTY_HEAD;
  for (let round = 0; round < ROUNDS; round++) {
    const append = async (writer: number): Promise<AppendAnswer> => {
      const { log } = pools[writer % pools.length] ?? first;
      const chain = { epoch, after, count: 2, note: `writer ${writer}` };
      return log.append(sampleAppend(chain, { blobs: [sampleBlob(`round ${round}`)] }));
    };
    const answers = await Promise.all(Array.from({ length: WRITERS }, (_, at) => append(at)));
    const kinds = answers.map(({ kind }) => kind).sort();
    expect(kinds).toEqual(["appended", ...Array(WRITERS - 1).fill("conflict")]);
    const { sequence = 0, hash = "" } = (await first.log.readHead(run)) ?? {};
    after = { sequence, hash };
  }
  const events = await first.log.read(run, 1);
  expect(events.length).toBe(2 * ROUNDS);
  expect(checkChain(run, EMPTY_HEAD, events)).toEqual({ kind: "intact", head: after });
});

test("appends, messages and blobs of one run go on beside each other", async () => {
  const stores = await scratch.open();
  const { epoch } = await stores.log.takeEpoch(run);
  let after = EMPTY_HEAD;
  const appending = (async () => {
    for (let round = 0; round < 50; round++) {
      const append = sampleAppend({ epoch, after });
      expect((await stores.log.append(append)).kind).toBe("appended");
      const last = append.events.at(-1);
      after = { sequence: last?.sequence ?? 0, hash: last?.hash ?? "" };
    }
  })();
  const putting = Array.from({ length: 50 }, (_, at) => stores.inbox.put(sampleMessage(`${at}`)));
  const storing = Array.from({ length: 50 }, (_, at) =>
    stores.blobs.put(run, sampleBlob(`blob ${at % 10}`)),
  );
  const answers = await Promise.all(putting);
  await Promise.all([appending, ...storing]);
  expect(answers.every(({ kind }) => kind === "stored")).toBe(true);
  expect((await stores.inbox.peek(run)).length).toBe(50);
});

test("whoever takes a run finds what is beside its log, in one statement", async () => {
  const stores = await scratch.open();
  await stores.inbox.put(sampleMessage("hello"));
  const key = new Uint8Array(32).fill(7);
  const { found } = await stores.log.takeEpoch(run, key);
  expect(found).toEqual({ snapshot: undefined, key, inbox: await stores.inbox.peek(run) });
  expect(found?.inbox).toHaveLength(1);
});

test("whoever takes a run while another appends is told nothing of before the append", async () => {
  const tenant = "taken-beside";
  const stores = await scratch.open({ tenant });
  await stores.inbox.put(sampleMessage("hello"));
  const { epoch } = await stores.log.takeEpoch(run);
  const other = await scratch.connect();
  const asked = [tenant, run];
  // As an append that has taken the message in, and is not committed yet.
  await other.query("begin");
  const where = "where tenant = $1 and run = $2";
  await other.query(`update turnseal.head set sequence = 1, hash = 'h' ${where}`, asked);
  await other.query(`update turnseal.inbox set body = null ${where}`, asked);
  const taking = stores.log.takeEpoch(run, new Uint8Array(32));
  const session = await scratch.connect();
  const countWaiting = async () => {
    const rows = await session.query(`
      select count(*)::int as waiting from pg_stat_activity
       where datname = current_database() and wait_event_type = 'Lock'`);
    return rows[0]?.["waiting"];
  };
  await expect.poll(countWaiting).toBe(1);
  await other.query("commit");
  const head = { sequence: 1, hash: "h" };
  expect(await taking).toEqual({ epoch: epoch + 1, head });
  expect(await stores.blobs.readKey(run)).toEqual(new Uint8Array(32));
});

test("an erasure beside writers leaves no content, whoever comes first", async () => {
  const stores = await scratch.open({ tenant: "erased" });
  const session = await scratch.connect();
  for (let round = 0; round < 20; round++) {
    const run = `${String(round).padStart(8, "0")}-8f3a-4c0e-9b7d-0d5f0a1b2c3d`;
    const { epoch } = await stores.log.takeEpoch(run);
    const blobs = [sampleBlob(`appended ${round}`)];
    await Promise.all([
      stores.log.append(sampleAppend({ run, epoch }, { blobs })),
      ...Array.from({ length: 4 }, (_, at) => stores.blobs.put(run, sampleBlob(`put ${at}`))),
      stores.inbox.put(sampleMessage("hello", run)),
      stores.blobs.keepKey(run, new Uint8Array(32)),
      stores.blobs.erase(run),
    ]);
  }
  const left = await session.query(`
    select (select count(*) from turnseal.blob where tenant = 'erased') as blobs,
           (select count(*) from turnseal.run_key where tenant = 'erased') as keys,
           (select count(*) from turnseal.inbox
             where tenant = 'erased' and (body is not null or fingerprint is not null)) as messages,
           (select sum(last_sequence - first_sequence + 1)
             from turnseal.segment where tenant = 'erased') as events`);
  expect(left).toEqual([{ blobs: "0", keys: "0", messages: "0", events: "20" }]);
});

test("processes that write one run never write the same sequence number", async () => {
  const tenant = "processes";
  const lines = await Promise.all(["ada", "grace"].map((name) => contend(tenant, name)));
  const appended = lines.flat().filter(({ did }) => did === "appended");
  const stores = await scratch.open({ tenant });
  const events = await stores.log.read(run, 1);
  expect(appended.map(({ sequence }) => sequence).toSorted((a, b) => a - b)).toEqual(
    events.map(({ sequence }) => sequence),
  );
  expect(events.length).toBeGreaterThan(0);
  expect(lines.flat().some(({ did }) => did === "fenced")).toBe(true);
  expect(checkChain(run, EMPTY_HEAD, events).kind).toBe("intact");
});

interface Said {
  readonly did: string;
  readonly sequence: number;
}

async function contend(tenant: string, name: string): Promise<Said[]> {
  const program = fileURLToPath(new URL("./contend.test.process.ts", import.meta.url));
  const options = ["--conditions=turnseal-source", program, scratch.url, tenant, name, "60"];
  const child = spawn(process.execPath, options, { stdio: ["ignore", "pipe", "inherit"] });
  let text = "";
  child.stdout.on("data", (chunk) => {
    text += String(chunk);
  });
  const code = await new Promise((resolve) => child.on("close", resolve));
  expect(code).toBe(0);
  return text
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line) as Said);
}
