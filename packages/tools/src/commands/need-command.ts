/** The request of a command to the grant. */
import type { TermRequest } from "@turnseal/protocol";
import type { Sandbox, SandboxProfile } from "../sandbox/sandbox.ts";

export const COMMAND_FAMILY = "turnseal.command";

export interface CommandPlace {
  readonly root: string;
  readonly profile: SandboxProfile;
  readonly stage: Sandbox["stage"];
}

/** A claim records names and no arguments: the profile and the stage are names in it. */
export function nameCommandPlace({ root, profile, stage }: CommandPlace) {
  return { resource: `${root}:${profile}`, capability: `sandbox.${stage}` };
}

export function needCommand(
  place: CommandPlace,
  { argv, timeoutMs = 1 }: { readonly argv: readonly string[]; readonly timeoutMs?: number },
): TermRequest {
  const path = argv.map(toSegment).join("/");
  // Without a wish of the model the kernel holds the command to the time of the term.
  const amounts = { runtimeMs: timeoutMs };
  return { family: COMMAND_FAMILY, ...nameCommandPlace(place), verb: "execute", path, amounts };
}

/** An argument as one segment of a path: `src/a` is `src%2Fa`, and two dots stay two dots. */
function toSegment(argument: string): string {
  if (argument === "") return "%";
  if (/^\.{1,2}$/.test(argument)) return argument.replaceAll(".", "%2E");
  return argument.replaceAll(/[%/\\\p{Cc}]/gu, (character) => encodeURIComponent(character));
}
