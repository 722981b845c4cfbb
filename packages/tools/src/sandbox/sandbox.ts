/**
 * The place where a command of an agent runs. A sandbox is given to the factory of a tool; the
 * kernel knows none.
 *
 * 1. A sandbox that cannot be made refuses, and names the layer that stands in its way. It never
 *    runs a command with less than its profile.
 * 2. The environment of a command is empty but for the given variables.
 */

/** `read-only` changes no file, `workspace-write` those of its folder. Neither has a network. */
export const SANDBOX_PROFILES = ["read-only", "workspace-write", "unrestricted"] as const;
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
}

/** A command as the operating system starts it. */
export interface StartableCommand {
  readonly file: string;
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  readonly startIn: string;
  /** Open files that it gets beside its three streams, from number 3 on. */
  readonly passed: readonly number[];
  readonly user?: { readonly uid: number; readonly gid: number };
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
