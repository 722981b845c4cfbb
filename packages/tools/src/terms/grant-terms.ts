/**
 * Terms of a grant for the tools of this package, with the fields that are usually empty filled in.
 */
import type { Term } from "@turnseal/protocol";
import { checkRoot } from "../check-root.ts";
import { COMMAND_FAMILY, nameCommandPlace } from "../commands/need-command.ts";
import type { Sandbox, SandboxProfile } from "../sandbox/sandbox.ts";

export interface FileTerm {
  /** Patterns of paths under the root, such as `src/**`. By default every path. */
  readonly paths?: readonly string[];
  /** By default `read`. */
  readonly verbs?: readonly ("read" | "write" | "delete")[];
  /** Roles that must approve each use. */
  readonly approvals?: readonly string[];
}

export interface CommandTerm {
  /** By default `read-only`. */
  readonly profile?: SandboxProfile;
  /** By default `bubblewrap`. */
  readonly stage?: Sandbox["stage"];
  /** Patterns of commands, an argument a segment: `npm/run/*`, `git/log/**`. By default all. */
  readonly commands?: readonly string[];
  /** How long each may run. */
  readonly runtimeMs?: number;
  readonly approvals?: readonly string[];
}

export interface HostTerm {
  /** By default `read`, which is for GET and HEAD. POST creates, PUT and PATCH update. */
  readonly verbs?: readonly ("read" | "create" | "update" | "delete")[];
  readonly approvals?: readonly string[];
}

/**
 * Writes the terms that a grant needs for these tools. A grant with the tool and without its term
 * denies it.
 *
 * @example
 * const terms = [grantTerms.files("site", { paths: ["src/**"], verbs: ["read", "write"] })];
 */
export const grantTerms = {
  /** The files of a root. */
  files: (root: string, { paths, verbs = ["read"], approvals = [] }: FileTerm = {}): Term => {
    checkRoot(root);
    return {
      ...{ id: `files-${root}`, family: "workspace", resource: root, verbs },
      capabilities: ["filesystem_read", "filesystem_write"],
      bounds: paths === undefined ? {} : { paths },
      ...{ conditions: [], approvals },
    };
  },
  /** Commands in a workspace, under one profile in one kind of sandbox. */
  commands: (
    root: string,
    {
      profile = "read-only",
      stage = "bubblewrap",
      commands,
      runtimeMs,
      approvals = [],
    }: CommandTerm = {},
  ): Term => {
    checkRoot(root);
    const { resource, capability } = nameCommandPlace({ root, profile, stage });
    return {
      ...{ id: `commands-${root}-${profile}`, family: COMMAND_FAMILY, resource },
      ...{ verbs: ["execute"], capabilities: [capability] },
      bounds: {
        ...(commands === undefined ? {} : { paths: commands }),
        ...(runtimeMs === undefined ? {} : { limits: { runtimeMs } }),
      },
      ...{ conditions: [], approvals },
    };
  },
  /** Hosts on the web: `docs.example.com`, `*.example.com`, `api.example.com:443`. */
  hosts: (
    destinations: readonly string[],
    { verbs = ["read"], approvals = [] }: HostTerm = {},
  ): Term => ({
    ...{ id: `web-${verbs.join("-")}`, family: "network", resource: "web", verbs },
    ...{ capabilities: ["network_egress"], bounds: { destinations }, conditions: [], approvals },
  }),
} as const;
