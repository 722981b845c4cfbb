/**
 * The cost of verifying an event, by the length of the log: a real run, sealed turn by turn.
 * The processor time of this thread counts, and sizes take turns.
 */
import { generateKeyPairSync, sign } from "node:crypto";
import { memoryStores, type Signer, type Stores, systemClock } from "@turnseal/ports";
import { canonicalize } from "@turnseal/protocol";
import { keyIdOf, type RunToVerify, verifyRun } from "@turnseal/protocol/receipts";
import { median } from "./median.ts";
import type { Benchmark } from "./report.ts";
import { createSampleHost, startSampleRun } from "./sample-turn.ts";

const FEW_TURNS = 500;
const MANY_TURNS = 10_000;
const ROUNDS = 3;
const RATIO_GOAL = 1.3;
const READ_MAX = 1_000;

export const benchVerify: Benchmark = async (_, say) => {
  const { publicKey, privateKey } = generateKeyPairSync("ed25519");
  const publicX = publicKey.export({ format: "jwk" }).x ?? "";
  const keyId = keyIdOf(publicX);
  const signer: Signer = {
    ...{ keyId, issuer: "development" },
    sign: async (data) => sign(null, data, privateKey),
  };
  const validFrom = "2000-01-01T00:00:00.000Z";
  const keys = [{ keyId, x: publicX, issuer: "development", validFrom }] as const;
  const verify = async (subject: RunToVerify): Promise<number> => {
    const before = process.threadCpuUsage();
    const verdict = await verifyRun(subject, { keys });
    const { user, system } = process.threadCpuUsage(before);
    if (!verdict.valid) throw new Error(`the run is ${verdict.verdict}`);
    return (user + system) / subject.events.length;
  };
  say("runs are made");
  const [few, many] = [await makeRun(signer, FEW_TURNS), await makeRun(signer, MANY_TURNS)];
  await verify(few);
  const rounds: { readonly few: number; readonly many: number }[] = [];
  for (let round = 0; round < ROUNDS; round++) {
    say(`round ${round + 1} of ${ROUNDS}`);
    rounds.push({ few: await verify(few), many: await verify(many) });
  }
  const times = { few: rounds.map((at) => at.few), many: rounds.map((at) => at.many) };
  return [
    { name: `${few.events.length} events`, columns: { "event us": median(times.few) } },
    {
      name: `${many.events.length} events`,
      columns: {
        "event us": median(times.many),
        "all s": (median(times.many) * many.events.length) / 1e6,
      },
    },
    {
      name: "an event of the long run against one of the short",
      columns: { ratio: median(rounds.map((at) => at.many / at.few)) },
      goal: { column: "ratio", atMost: RATIO_GOAL },
    },
  ];
};

/** A run of so many turns, with its receipts, as it is exported. */
async function makeRun(signer: Signer, turns: number): Promise<RunToVerify> {
  const stores = memoryStores(systemClock);
  const host = createSampleHost(stores, signer);
  const run = await startSampleRun(host, turns);
  await host.advance(run, { sliceMs: Number.POSITIVE_INFINITY });
  const receipts: string[] = [];
  for (;;) {
    const page = await stores.receipts.list(run, receipts.length + 1);
    if (page.length === 0) break;
    receipts.push(...page.map(({ envelope }) => canonicalize(envelope)));
  }
  return { run, events: await readEvents(stores, run), receipts };
}

async function readEvents(stores: Stores, run: string): Promise<RunToVerify["events"]> {
  const events: RunToVerify["events"][number][] = [];
  for (;;) {
    const page = await stores.log.read(run, events.length + 1, READ_MAX);
    if (page.length === 0) return events;
    events.push(...page);
  }
}
