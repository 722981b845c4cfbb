/**
 * The place where a command of an agent runs. A sandbox is given to the factory of a tool; the
 * kernel knows none.
 *
 * 1. A sandbox that cannot be made refuses, and names the layer that stands in its way. It never
 *    runs a command with less than its profile.
 * 2. The environment of a command is empty but for the given variables.
 */
import type { NetworkReach } from "../proxy/network-reach.ts";
import type { CommandProxy } from "../proxy/open-proxy.ts";

/**
 * `read-only` changes no file, `workspace-write` those of its folder. Neither has a network.
 * `network` also reaches named hosts, through a proxy.
 */
export const SANDBOX_PROFILES = [
  "read-only",
  "workspace-write",
  "network",
  "unrestricted",
] as const;
export type SandboxProfile = (typeof SANDBOX_PROFILES)[number];

export interface SandboxedCommand {
  readonly argv: readonly string[];
  /** The workspace: an absolute path without a link in it. */
  readonly folder: string;
  /** The folder in the workspace where it starts; the empty path is the workspace itself. */
  readonly startIn: string;
  readonly profile: SandboxProfile;
  readonly env: Readonly<Record<string, string>>;
  /** True for git itself, which writes to the folder `.git`. */
  readonly isGit?: true;
  /** The hosts that it may reach: with the profile `network`, and with no other. */
  readonly reach?: NetworkReach;
}

/** A command as the operating system starts it. */
export interface StartableCommand {
  readonly file: string;
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  readonly startIn: string;
  /** Open files that it gets beside its three streams, from number 3 on. */
  readonly passed: readonly number[];
  /** What the program reads from the file after those, to its end. */
  readonly settings?: string;
  readonly user?: { readonly uid: number; readonly gid: number };
  /** Ends with the command. */
  readonly proxy?: CommandProxy;
  /** Closes the passed files here. */
  close(): void;
}

export type PreparedCommand =
  | ({ readonly kind: "ready" } & StartableCommand)
  /** `why` names the layer that refused and the remedy. */
  | { readonly kind: "refused"; readonly why: string };

export interface Sandbox {
  /** Its name in a claim and in a term of a grant. */
  readonly stage: "bubblewrap" | "none";
  /** MUST refuse where it cannot hold the profile. */
  prepare(command: SandboxedCommand): Promise<PreparedCommand>;
}
