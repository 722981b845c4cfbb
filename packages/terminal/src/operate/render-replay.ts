import type { TurnReplay } from "@turnseal/host";
import { countOf } from "../screen/count-of.ts";
import { type Line, line, toned } from "../screen/line.ts";

/** Renders what came of one turn. */
export function renderReplayedTurn({ turn, replayed }: TurnReplay): Line {
  switch (replayed.kind) {
    case "identical":
      return line(toned("good", "✓"), ` turn ${turn}  identical`);
    case "different":
      return line(toned("bad", "✗"), ` turn ${turn}  different: ${replayed.message}`);
    case "not-replayable":
      return line(toned("warning", "-"), ` turn ${turn}  cannot be replayed: ${replayed.reason}`);
  }
}

/** Renders what came of all of them. */
export function renderReplay(run: string, replays: readonly TurnReplay[]): Line {
  const count = (kind: string): number =>
    replays.filter(({ replayed }) => replayed.kind === kind).length;
  if (count("different") > 0) return line(toned("bad", "different"), `  ${run}`);
  const identical = count("identical");
  if (identical === 0) return line(toned("warning", "nothing to replay"), `  ${run}`);
  return line(toned("good", "identical"), `  ${run}: ${countOf(identical, "turn")}, to the byte`);
}
