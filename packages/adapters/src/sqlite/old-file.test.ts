/** Files of before segments: what they hold is there after they were opened, to the byte. */
import { DatabaseSync } from "node:sqlite";
import { deflateRawSync } from "node:zlib";
import { headAfter, sampleAppend, sampleReceipt } from "@turnseal/ports/contracts";
import { canonicalize } from "@turnseal/protocol";
import { afterEach, expect, test } from "vitest";
import { RECORD_WORDS } from "../record-words.ts";
import { migrate } from "./migrate.ts";
import { MIGRATIONS } from "./migrations/migrations.ts";
import { cleanUp, openScratch, scratchFile } from "./scratch-file.test.data.ts";

afterEach(cleanUp);

/** Steps before the events of an append were one row. */
const BEFORE = MIGRATIONS.slice(0, 3);
const first = sampleAppend({ epoch: 1, count: 30, note: 'ä💡\n"' });
const { run } = first;

/** A file as the last program left it that deflated each event, with one run. */
function createOld(pack: (text: string) => Uint8Array): string {
  const file = scratchFile();
  const db = new DatabaseSync(file);
  migrate(db, BEFORE);
  const { sequence, hash } = headAfter(first);
  db.prepare("insert into head values (1, ?, 1, ?, ?)").run(run, sequence, hash);
  const event = db.prepare("insert into event (run_number, sequence, body) values (1, ?, ?)");
  for (const { run: _, sequence: at, ...body } of first.events)
    event.run(at, pack(canonicalize(body)));
  const { turn, id, envelope } = sampleReceipt(1);
  db.prepare("insert into receipt values (1, 1, ?, ?, ?)").run(
    ...([turn, id, pack(JSON.stringify(envelope))] as const),
  );
  db.prepare("insert into snapshot (run_number, sequence, state) values (1, 30, ?)").run(
    JSON.stringify({ turns: 1 }),
  );
  db.close();
  return file;
}

function deflate(text: string): Uint8Array {
  return deflateRawSync(text, { dictionary: Buffer.from(RECORD_WORDS) });
}

test("a log of before is read as it was, from anywhere in it, and goes on", async () => {
  const { log, receipts, runs } = openScratch({ file: createOld(deflate) });
  expect(await log.read(run, 1)).toEqual(first.events);
  expect(await log.read(run, 7, 3)).toEqual(first.events.slice(6, 9));
  expect(await receipts.list(run, 1)).toEqual([sampleReceipt(1)]);
  expect(await runs.read(run)).toEqual({ run, sequence: 30, state: { turns: 1 } });
  expect((await log.append(first)).kind).toBe("duplicate");
  const next = sampleAppend({ epoch: 1, after: headAfter(first), count: 2 });
  expect((await log.append(next)).kind).toBe("appended");
  expect(await log.read(run, 30)).toEqual([...first.events.slice(29), ...next.events]);
});

test("a file of before that is damaged is refused, and stays as it was", () => {
  const file = createOld((text) => Buffer.from(text));
  expect(() => openScratch({ file })).toThrow();
  const db = new DatabaseSync(file);
  expect(db.prepare("select count(*) as events from event").get()).toEqual({ events: 30 });
  expect(db.prepare("select max(version) as version from migration").get()).toEqual({
    version: BEFORE.length,
  });
  db.close();
});
