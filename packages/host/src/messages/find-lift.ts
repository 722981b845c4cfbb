import { findQuarantined, type Quarantined, type RunProjection } from "@turnseal/folds";
import { HostError } from "../host-error.ts";

/** The quarantine that a word lifts. Throws where there is one, and the person may not lift it. */
export function findLift(
  run: RunProjection | undefined,
  mayLift: boolean,
): Pick<Quarantined, "turn" | "since"> | undefined {
  const quarantined = findQuarantined(run);
  if (quarantined === undefined) return undefined;
  const { turn, since, name } = quarantined;
  if (mayLift) return { turn, since };
  throw new HostError(
    "ROLE_MISSING",
    `the run is quarantined since ${since}: workers were lost each time that it did ${name}; ` +
      "a person with the role operator can lift that once the tool is fixed, and a cancel ends " +
      "the run",
  );
}
