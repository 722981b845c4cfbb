/** Looks at the server until the approvals of a message are open no longer. */
import type { UIMessage } from "ai";
import { pause } from "../wire/backoff.ts";

const EVERY_MS_DEFAULT = 2_000;

interface Waiting {
  readonly signal: AbortSignal | undefined;
  readonly everyMs: number | undefined;
  /** The ids of the requests of a run that are open. */
  readOpen(run: string): Promise<readonly string[]>;
}

export async function waitForDecision(
  { metadata, parts }: UIMessage,
  { signal, everyMs = EVERY_MS_DEFAULT, readOpen }: Waiting,
): Promise<void> {
  const { run } = Object(metadata) as { readonly run?: string };
  const asked = parts.flatMap((part) =>
    part.type === "dynamic-tool" && part.state === "approval-requested" ? [part.approval.id] : [],
  );
  if (run === undefined) return;
  for (;;) {
    await pause(everyMs, signal);
    signal?.throwIfAborted();
    const open = new Set(await readOpen(run));
    if (!asked.every((id) => open.has(id))) return;
  }
}
