/** A run that was left alone since workers were lost at it, and how that is lifted. */
import type { Waiting } from "@turnseal/host";
import { type Line, line, renderNext, toned } from "../screen/line.ts";
import { renderDetail } from "../screen/render-field.ts";
import { shortId } from "../screen/short-id.ts";

type Kept = Pick<Waiting, "run" | "quarantined">;

export function renderQuarantined({ run, quarantined }: Kept): Line[] {
  if (quarantined === undefined) return [];
  const { name, since } = quarantined;
  const id = shortId(run);
  return [
    line("  ", toned("strong", name), ": workers were lost each time that the run did it"),
    ...renderDetail("run", run),
    ...renderDetail("quarantined", since),
    renderNext(`turnseal resume ${id}  (tries it again)`),
    line("  ", toned("faint", "  or: "), `turnseal cancel ${id}`),
  ];
}

/** The same as one line of a list. */
export function renderQuarantinedRow({ run, quarantined }: Kept): Line[] {
  if (quarantined === undefined) return [];
  const id = shortId(run);
  return [
    line(
      ...[toned("strong", id), "  ", toned("bad", "quarantined"), `  ${quarantined.name}`],
      toned("faint", `  turnseal resume ${id} tries it again`),
    ),
  ];
}
