import {
  describeStanding,
  type FoundObstacle,
  findObstacle,
  type RunStanding,
  readRunStanding,
} from "@turnseal/runtime/folder";
import type { Subject } from "../../with-subject.ts";

/** Where a run stands; of one in an export, where it stood when its last event was written. */
export async function readStandingOf({ known, folder }: Subject): Promise<{
  readonly state: RunStanding;
  readonly obstacle?: FoundObstacle;
}> {
  if (folder === undefined) return { state: describeStanding(known.projection, undefined) };
  const obstacle = await findObstacle(folder, known);
  const state = await readRunStanding(folder, known);
  return { state, ...(obstacle === undefined ? {} : { obstacle }) };
}
