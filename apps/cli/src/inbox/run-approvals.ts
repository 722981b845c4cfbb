import { findStanding, listStandingApprovals, revokeMessage } from "@turnseal/host";
import { line, renderDetail, shortId, toned, writeJson } from "@turnseal/terminal";
import { describePattern, describeRest } from "@turnseal/terminal/inbox";
import { EXIT_CODES, type ExitCode } from "../exit-codes.ts";
import { readIdentity } from "../terminal/read-identity.ts";
import { RefusalError } from "../terminal/refusal.ts";
import type { Surroundings } from "../terminal/surroundings.ts";
import { withRun } from "../with-run.ts";
import { type PutOptions, putMessage } from "./put-message.ts";

/** `turnseal approvals`: lists the approvals that stand in a run, with what they still allow. */
export function runApprovals(
  run: string,
  options: PutOptions,
  { terminal: { out } }: Surroundings,
): Promise<ExitCode> {
  return withRun(run, options, async ({ known, folder }) => {
    const standing = await listStandingApprovals(known.projection, folder.stores, Date.now());
    if (options.json) {
      writeJson(out, standing);
      return EXIT_CODES.done;
    }
    if (standing.length === 0)
      out.writeLine(line(`no approval stands in run ${shortId(known.run)}`));
    for (const one of standing) {
      const rest = `  ${one.tool}: ${describeRest(one)} until ${one.until}`;
      out.writeLine(line(toned("strong", shortId(one.id)), rest));
      for (const row of [
        ...renderDetail("covers", describePattern(one.pattern)),
        ...renderDetail("given by", `${one.by}, ${one.receivedAt}`),
      ])
        out.writeLine(row);
    }
    return EXIT_CODES.done;
  });
}

/** `turnseal revoke`: ends an approval that stands. */
export function runRevoke(
  run: string,
  name: string,
  options: PutOptions,
  { terminal, environment }: Surroundings,
): Promise<ExitCode> {
  return withRun(run, options, async (named) => {
    const { projection } = named.known;
    const found = (projection?.standing ?? []).filter(({ id }) => id.startsWith(name));
    const next = `turnseal approvals ${shortId(named.known.run)}`;
    if (found.length > 1)
      throw new RefusalError(`${found.length} approvals begin so`, next, EXIT_CODES.failed);
    if (found.length === 0)
      throw new RefusalError(`no approval ${name} stands here`, next, EXIT_CODES.failed);
    const standing = findStanding(projection, found[0]?.id ?? "");
    const by = readIdentity(environment);
    const words = {
      done: `the approval of ${standing.tool} is revoked by ${by.id}`,
      after: "no later action is done under it; the next one is asked for",
      facts: { standing: standing.id, by: by.id },
    };
    const message = revokeMessage(named.known.run, standing, by);
    return putMessage(message, named, { ...options, terminal, words });
  });
}
