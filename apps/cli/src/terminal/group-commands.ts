import type { Command } from "commander";

/** The commands in the groups of the help, by what people do. */
const GROUPS: ReadonlyMap<string, readonly string[]> = new Map([
  ["Author", ["init", "check", "call", "loops", "draw", "policy", "mcp", "test", "fixture"]],
  [
    "Run",
    [
      ...["run", "resume", "runs", "show", "explain", "transcript", "context", "costs", "plan"],
      ...["signal", "cancel", "fork"],
    ],
  ],
  ["Decide", ["inbox", "approve", "reject", "answer", "approvals", "revoke", "resolve"]],
  ["Undo", ["rollback", "drift", "adopt"]],
  ["Prove", ["verify", "replay", "export", "import", "erase", "keys"]],
  [
    "Operate",
    [
      ...["serve", "dev", "worker", "deploy", "tenant", "pause", "unpause", "pauses"],
      ...["audit", "migrate", "repair", "archive", "route"],
    ],
  ],
]);

/** Puts each command under the heading of its group, in the order of the groups. */
export function groupCommands(program: Command): void {
  const places = new Map(
    [...GROUPS].flatMap(([heading, names]) => names.map((name) => [name, heading] as const)),
  );
  const order = [...places.keys()];
  for (const command of program.commands)
    command.helpGroup(`${places.get(command.name()) ?? "Other"}:`);
  const placeOf = (command: Command): number => order.indexOf(command.name());
  // Commander prints the groups, and the commands in them, in the order of this list.
  (program.commands as Command[]).sort((one, other) => placeOf(one) - placeOf(other));
}
