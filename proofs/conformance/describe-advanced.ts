import { listHandoffs, listUnknown } from "@turnseal/folds";
import type { Advanced, LocalHost } from "@turnseal/host";

/** Where a run stands after it was carried, in the words of the protocol. */
export async function describeAdvanced(
  run: string,
  advanced: Advanced,
  host: LocalHost,
): Promise<Readonly<Record<string, unknown>>> {
  const { dues, projection } = advanced;
  if (dues.kind === "blocked") return { due: dues.kind, why: dues.why };
  if (projection === undefined) return { due: dues.kind };
  const { spec, turns, stopped, lastTurn } = projection;
  const loop = spec === null ? undefined : host.registry.resolve(spec.loop, spec.version);
  const output = loop === undefined ? undefined : await host.readOutput(loop, run);
  return {
    due: dues.kind,
    ...(dues.kind === "wake" ? { at: new Date(dues.atMs).toISOString() } : {}),
    turns,
    stopped,
    outcome: lastTurn?.outcome ?? null,
    ...(output === undefined ? {} : { output }),
    waiting: listUnknown(projection).map(({ key, name }) => ({ action: key, name })),
    children: listHandoffs(projection).map(({ child }) => child),
  };
}
