/** What came of a group, held against what truly happened. */
import { collectRun } from "@turnseal/host";
import type { Stores } from "@turnseal/ports";
import { type GroupRecord, verifyRun } from "@turnseal/protocol/receipts";
import { crashPublicKey } from "../kit/crash-key.ts";
import { MEMBERS, readLedger, type Scene } from "./trip-loops.ts";

export interface Judged {
  readonly problems: readonly string[];
  /** True where the end of one is unknown, and a person was asked. */
  readonly isUnknown: boolean;
}

export async function judgeGroup(
  { outcome, ends: wanted }: Scene,
  place: string,
  { stores, run }: { readonly stores: Stores; readonly run: string },
): Promise<Judged> {
  const ledger = readLedger(place);
  const count = (word: string, id: string) =>
    ledger.filter((line) => line.word === word && line.id === id).length;
  const [group, ...others] = await readGroups(stores, run);
  const ends = group?.members.map(({ end }) => end) ?? [];
  const problems: string[] = [];
  const isUnknown = ends.includes("unknown");
  if (others.length > 0) problems.push("there are several groups");
  if (group?.outcome === "part" && group.asked === undefined) problems.push("nobody was asked");
  if (isUnknown && group?.outcome !== "part") problems.push(`unknown, and yet ${group?.outcome}`);
  if (!isUnknown && `${group?.outcome} ${ends}` !== `${outcome} ${wanted}`)
    problems.push(`${group?.outcome} ${ends}, and not ${outcome} ${wanted}`);
  for (const [index, id] of MEMBERS.entries()) {
    const [did, undid, end] = [count("did", id), count("undid", id), ends[index]];
    const truth = did === 0 ? "not-done" : undid === 0 ? "done" : "taken-back";
    if (did > 1 || undid > did) problems.push(`${id} was done ${did} and undone ${undid} times`);
    if (end !== "unknown" && end !== truth) problems.push(`${id} is ${end}, and truly ${truth}`);
  }
  const undone = ledger.filter(({ word }) => word === "undid").map(({ id }) => id);
  const reverse = MEMBERS.toReversed().filter((id) => undone.includes(id));
  if (undone.join() !== reverse.join()) problems.push(`taken back in the order ${undone}`);
  const { findings } = await verifyRun(await collectRun(stores, run), { keys: [crashPublicKey] });
  problems.push(...findings.map(({ code }) => code));
  return { problems, isUnknown };
}

async function readGroups(stores: Stores, run: string): Promise<readonly GroupRecord[]> {
  const receipt = await stores.receipts.read(run, 1);
  const payload = Buffer.from(receipt?.envelope.payload ?? "", "base64").toString();
  return payload === "" ? [] : (JSON.parse(payload).predicate.groups ?? []);
}
