/** Events in the words of MPLP, without what differs from program to program. */
import type { JsonObject } from "@turnseal/protocol";

export function describeMplp(events: readonly JsonObject[]): Readonly<Record<string, unknown>> {
  const ofFamily = (family: string): readonly JsonObject[] =>
    events.filter((event) => event["event_family"] === family);
  return {
    profile: events.map((event) => String(event["event_type"])).filter(isOfProfile),
    stages: ofFamily("pipeline_stage").map(({ stage_id: id, stage_status: stage, payload }) => {
      const { from_status: from, to_status: to } = payload as JsonObject;
      return [id, from, to, stage];
    }),
    updates: ofFamily("graph_update").map((event) => [
      event["event_type"],
      event["node_delta"],
      event["edge_delta"],
    ]),
    executions: ofFamily("runtime_execution").map((event) => event["status"]),
    slots: events.flatMap(({ event_type: type, payload }) => {
      if (type !== "MAPTurnDispatched" && type !== "MAPTurnCompleted") return [];
      const { role_id: role, turn_number: turn } = payload as JsonObject;
      return [[type, role, turn]];
    }),
    roles: events
      .filter((event) => event["event_type"] === "MAPRolesAssigned")
      .map(({ payload }) => payload),
  };
}

function isOfProfile(type: string): boolean {
  return /^(SA|MAP)[A-Z]/.test(type);
}
