import type { JsonValue } from "@turnseal/protocol";
import { shortId } from "../screen/short-id.ts";

/** The command that sends a run a signal, whole: with a payload that fits, where one is known. */
export function signalCommand(run: string, name: string, sample: JsonValue | undefined): string {
  const command = `turnseal signal ${shortId(run)} ${name}`;
  if (sample === undefined) return command;
  return `${command} --payload '${JSON.stringify(sample).replaceAll("'", String.raw`'\''`)}'`;
}
