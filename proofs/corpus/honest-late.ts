import type { RunWriter } from "./run-writer.ts";
import { person } from "./run-writer.ts";

const words = ["happened", "never", "abandon"];

/** After the stop somebody says what became of some of the actions that nobody knew the end of. */
export function speakLate(writer: RunWriter): void {
  const { events, random } = writer;
  const ended = new Set(
    events
      .filter(({ type }) => type === "action.settled" || type === "action.resolved")
      .map(({ links }) => links?.["claim"]?.of),
  );
  const left = events.filter(
    ({ id, type, content: { action, effect } }) =>
      type === "action.claimed" && action === "tool" && effect !== "read" && !ended.has(id),
  );
  for (const { id, content } of left) {
    if (random.next() < 0.3) continue;
    const { key = "", role } = content;
    const roles = role === undefined ? {} : { roles: [role] };
    writer.add(
      "run.resolved",
      { key, resolution: random.pick(words), ...roles },
      {
        actor: person("zoe"),
        links: { claim: { of: id, as: "sequence" }, claimHash: { of: id, as: "hash" } },
      },
    );
  }
}
