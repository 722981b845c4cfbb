/** Defines a tool that runs one command in a sandbox. */
import { realpathSync } from "node:fs";
import type { JsonObject, TermRequest } from "@turnseal/protocol";
import { findPathFault, PATH_FAULTS } from "@turnseal/protocol/artifact";
import {
  defineTool,
  jsonSchema,
  type Loop,
  notDone,
  type ToolContext,
} from "@turnseal/protocol/authoring";
import { checkRoot } from "../check-root.ts";
import { type CommandNetwork, type NetworkReach, parseNetwork } from "../proxy/network-reach.ts";
import { clearGit } from "../sandbox/hold-git.ts";
import { RUN_MS_DEFAULT, RUN_MS_MAX } from "../sandbox/limits.ts";
import { type CommandEnd, runCommand } from "../sandbox/run-command.ts";
import { SANDBOX_PROFILES, type Sandbox, type SandboxProfile } from "../sandbox/sandbox.ts";
import { needHost } from "../web/need-host.ts";
import { needCommand } from "./need-command.ts";

/** Where commands run, and how they are held. */
export interface CommandWorkspace {
  /** The name of the workspace in terms of a grant. */
  readonly root: string;
  /** Its folder on this machine. */
  readonly folder: string;
  readonly sandbox: Sandbox;
  /** By default `read-only`. */
  readonly profile?: SandboxProfile;
  /** The hosts that its commands may reach: with the profile `network`, and with no other. */
  readonly network?: CommandNetwork;
  /** The variables that a command gets beside a usual few. */
  readonly env?: Readonly<Record<string, string>>;
}

/** One command, as an input asks for it. */
export interface AskedCommand {
  readonly argv: readonly string[];
  readonly startIn?: string;
  readonly stdin?: string;
  readonly timeoutMs?: number;
  readonly isGit?: true;
}

export interface CommandTool<Input> {
  readonly id: string;
  readonly description: string;
  /** The JSON Schema of its input. */
  readonly schema: JsonObject;
  commandOf(input: Input): AskedCommand;
  /** The arguments that a term of a grant sees, if others than those of the command. */
  namedArgv?(input: Input): readonly string[];
}

/** The time for the answer of a command that was killed. */
const ANSWER_MS = 500;

export function defineCommand<Input>(
  workspace: CommandWorkspace,
  { id, description, schema, commandOf, namedArgv }: CommandTool<Input>,
): Loop<Input, CommandEnd> {
  const { root, sandbox, profile = "read-only" } = workspace;
  const reach = checkWorkspace(workspace);
  const { stage } = sandbox;
  const hosts = reach === undefined ? [] : needReach(reach);
  return defineTool({
    ...{ id, version: "1.0.0", implementation: id, description },
    build: `turnseal.tools:${id}:1`,
    // Its own deadline comes first, and says so in the answer.
    policy: { timeoutMs: RUN_MS_MAX + 10_000 },
    // The profile is pinned with the definition, and so is the stage.
    config: { profile, stage, ...(reach && { network: describeReach(reach) }) },
    ...(profile === "read-only"
      ? { effect: "read" as const }
      : {
          effect: "once" as const,
          irreversible: "files that a command changed are not recorded",
        }),
    input: jsonSchema<Input>(schema),
    output: jsonSchema<CommandEnd>({ type: "object" }),
    needs: (input) => {
      const { argv, timeoutMs } = commandOf(input);
      const asked = { argv: namedArgv?.(input) ?? argv };
      const timed = timeoutMs === undefined ? asked : { ...asked, timeoutMs };
      return { terms: [needCommand({ root, profile, stage }, timed), ...hosts] };
    },
    run: (input, context) => {
      const held = { ...workspace, ...(reach && { reach }) };
      return runInSandbox(held, commandOf(input), context);
    },
  });
}

function checkWorkspace({
  root,
  sandbox,
  profile = "read-only",
  network,
}: CommandWorkspace): NetworkReach | undefined {
  checkRoot(root);
  if (typeof sandbox?.prepare !== "function")
    throw new TypeError(`commands in ${root} need a \`sandbox\`, such as \`bubblewrap()\``);
  if (!SANDBOX_PROFILES.includes(profile))
    throw new TypeError(`${profile} is no profile: it is one of ${SANDBOX_PROFILES.join(", ")}`);
  if ((profile === "network") !== (network !== undefined))
    throw new TypeError(
      `commands in ${root}: the profile \`network\`, and no other, has hosts in \`network\``,
    );
  return network === undefined ? undefined : parseNetwork(network);
}

/** The grant must allow each of the hosts, and each of the verbs. */
function needReach({ hosts, verbs }: NetworkReach): TermRequest[] {
  return [...hosts].flatMap((host) => [...verbs].map((verb) => needHost(host, verb)));
}

function describeReach({ hosts, verbs, privateHosts }: NetworkReach): JsonObject {
  return { hosts: [...hosts], verbs: [...verbs], privateHosts: [...privateHosts] };
}

interface ReachingWorkspace extends CommandWorkspace {
  readonly reach?: NetworkReach;
}

async function runInSandbox(
  { sandbox, folder, profile = "read-only", env = {}, reach }: ReachingWorkspace,
  { argv, startIn = "", stdin, timeoutMs = RUN_MS_DEFAULT, isGit }: AskedCommand,
  { signal, deadlineAt }: ToolContext,
): Promise<CommandEnd> {
  const fault = startIn === "" ? undefined : findPathFault(startIn);
  if (fault !== undefined) throw notDone(`\`startIn\` is refused: ${PATH_FAULTS[fault]}`);
  if (argv.some((argument) => argument.includes("\0")))
    throw notDone("an argument is refused: it has a NUL in it");
  // The term of the grant may allow less. A command that ends before still gives an answer.
  const leftMs = Date.parse(deadlineAt) - Date.now() - ANSWER_MS;
  const place = { folder: resolveFolder(folder), startIn, profile, env };
  const command = { argv, ...place, ...(reach && { reach }) };
  const prepared = await sandbox.prepare(isGit === undefined ? command : { ...command, isGit });
  if (prepared.kind === "refused") throw notDone(prepared.why);
  const ended = runCommand(prepared, {
    ...(stdin === undefined ? {} : { stdin }),
    ...{ runMs: Math.max(1, Math.min(timeoutMs, leftMs)), signal },
  });
  return isGit === undefined ? ended : ended.finally(() => clearGit(place.folder));
}

/** A link in the path would lead elsewhere later. */
function resolveFolder(folder: string): string {
  try {
    return realpathSync(folder);
  } catch {
    throw notDone(`the folder of the workspace, ${folder}, cannot be opened on this worker`);
  }
}
