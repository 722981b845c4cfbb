/** Checks the awaited part of a wait. */
import { SIGNAL_NAME_LENGTH_MAX, type WaitedFor } from "@turnseal/protocol";
import { checkSchema } from "../check-schema.ts";
import { checkNodeMapping, checkSource } from "./check-sources.ts";
import type { CheckedNodeOf } from "./checked-node.ts";
import { type Sight, seeAt } from "./sight.ts";

export function checkAwaited(written: WaitedFor, sight: Sight): CheckedNodeOf<"wait">["for"] {
  const here = seeAt(sight, "for");
  const { report } = sight.walk;
  if ("signal" in written) {
    const { signal, schema = true } = written;
    // One of a longer name is taken by no run, and would be waited for in vain.
    if (signal.length > SIGNAL_NAME_LENGTH_MAX)
      report.refuse({
        rule: "flow-limit",
        path: `${here.path}/signal`,
        message: `the name of a signal has at most ${SIGNAL_NAME_LENGTH_MAX} characters`,
        mend: "write a shorter name",
      });
    checkSchema(schema, `${here.path}/schema`, report);
    return { signal, schema };
  }
  if ("until" in written) {
    const until = checkSource(written.until, seeAt(here, "until"), "text");
    if (until.kind === "constant" && !isInstant(until.value))
      report.refuse({
        rule: "mapping-path",
        path: `${here.path}/until`,
        message: "what is waited for is no instant",
        mend: "write one such as literal:2030-01-31T09:00:00.000Z",
      });
    return { until };
  }
  const { loopId, loopVersion, inputMapping } = written.question;
  const mapping = checkNodeMapping(inputMapping, seeAt(here, "question/inputMapping"));
  return { question: { loopId, loopVersion, mapping } };
}

/** A value that is no text was already refused. */
function isInstant(value: unknown): boolean {
  return typeof value !== "string" || !Number.isNaN(Date.parse(value));
}
