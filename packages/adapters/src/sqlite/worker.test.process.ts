/**
 * Another process at the same file, for the tests: `node worker.test.process.ts <what> <file>
 * <name> <count>`. It writes one line of JSON for each thing it has done, once that is durable.
 */
import { setTimeout as sleep } from "node:timers/promises";
import { headAfter, sampleAppend } from "@turnseal/ports/contracts";
import { type SqliteStores, sqliteStores } from "./sqlite-stores.ts";
import { SAMPLE_RUN, type Worked } from "./start-worker.test.data.ts";

const [what = "", file = "", name = "", count = "0"] = process.argv.slice(2);
const run = SAMPLE_RUN;

function say(line: Worked): void {
  process.stdout.write(`${JSON.stringify(line)}\n`);
}

/** Appends under one epoch until it is killed. */
async function appendOn({ log }: SqliteStores): Promise<void> {
  const { epoch, head } = await log.takeEpoch(run);
  let after = head;
  for (;;) {
    const append = sampleAppend({ epoch, after, count: 3, note: name });
    const answer = await log.append(append);
    after = headAfter(append);
    say({ did: answer.kind, sequence: after.sequence });
    // Lets the line out before the next append begins.
    await new Promise((resolve) => setImmediate(resolve));
  }
}

/**
 * Takes an epoch for every append, and loses it to the other process, which does the same. It
 * begins when both are there: on a busy machine one could be done before the other has started.
 */
async function contend({ log, inbox }: SqliteStores): Promise<void> {
  await inbox.put({ run, key: `here: ${name}`, kind: "signal", body: {} });
  while ((await inbox.peek(run)).length < 2) await sleep(2);
  for (let index = 0; index < Number(count); index++) {
    const { epoch, head } = await log.takeEpoch(run);
    await sleep(Math.random() * 2);
    const append = sampleAppend({ epoch, after: head, note: `${name} ${index}` });
    say({ did: (await log.append(append)).kind, sequence: head.sequence + 1 });
    const message = { run, key: `key ${index}`, kind: "signal", body: { index } } as const;
    say({ did: (await inbox.put(message)).kind, sequence: index });
  }
}

async function putOne({ inbox }: SqliteStores): Promise<void> {
  const { kind } = await inbox.put({ run, key: name, kind: "signal", body: { by: name } });
  say({ did: kind, sequence: 0 });
}

const stores = sqliteStores({ file });
say({ did: "opened", sequence: 0 });
if (what === "append") await appendOn(stores);
if (what === "contend") await contend(stores);
if (what === "put") await putOne(stores);
stores.close();
