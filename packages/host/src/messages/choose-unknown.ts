import { listUnknown, type RunProjection, type UnknownClaim } from "@turnseal/folds";

/** The unknown action that the beginning of a key means, or why it means none. */
export function chooseUnknown(run: RunProjection | undefined, prefix = ""): UnknownClaim | string {
  const unknown = run === undefined ? [] : listUnknown(run);
  const [claim, ...others] = unknown.filter(({ key }) => key.startsWith(prefix));
  if (unknown.length === 0) return "no action of the run waits for an answer";
  if (claim === undefined) return `no unknown action has a key that begins with ${prefix}`;
  if (others.length === 0) return claim;
  const keys = [claim, ...others].map(({ name, key }) => `${name} ${key}`);
  return `several actions wait for an answer, name one: ${keys.join(", ")}`;
}
