/** One event in the words of MPLP, and what the parts of the view share. */
import { type JsonObject, type LoopEvent, uuidFrom } from "@turnseal/protocol";

/** The families with facts in the log of a run. */
export const MPLP_FAMILIES = [
  "pipeline_stage",
  "graph_update",
  "runtime_execution",
  "cost_budget",
  "intent",
  "external_integration",
  "compensation_plan",
] as const;
export type MplpFamily = (typeof MPLP_FAMILIES)[number];

/** An event of a family, or of a profile: then its type begins with `SA` or `MAP`. */
export type MplpEvent = JsonObject & {
  readonly event_id: string;
  readonly event_type: string;
  readonly event_family?: MplpFamily;
  readonly timestamp: string;
  readonly project_id: string;
  /** The one event of the log that it was made of. */
  readonly log_sequence: number;
};

/** Reports one event of MPLP; the common fields are added. */
export type TellMplp = (type: string, fields: JsonObject) => void;

/** Ids follow from the run and from the log, so that every reading gives the same. */
export function nameIn(run: string, ...parts: readonly (string | number)[]): string {
  return uuidFrom(["mplp", run, ...parts].join("\n"));
}

/** Collects the events that one event gives, in their order. */
export function createTeller(run: string, project: string) {
  let event: LoopEvent | undefined;
  let said: MplpEvent[] = [];
  const tell: TellMplp = (type, fields) => {
    if (event === undefined) return;
    const { sequence, at } = event;
    said.push({
      event_id: nameIn(run, "event", sequence, said.length),
      ...{ event_type: type, timestamp: at, project_id: project, log_sequence: sequence },
      ...fields,
    });
  };
  return {
    tell,
    during: (next: LoopEvent, body: () => void): readonly MplpEvent[] => {
      event = next;
      said = [];
      body();
      return said;
    },
  };
}
