import type { DeployStatus, UpgradeCheck } from "@turnseal/runtime/deploy";
import { countOf } from "../terminal/count-of.ts";
import { type Line, line, toned } from "../terminal/line.ts";

/** What is deployed, a release at a time. */
export function renderDeployStatus({
  releases,
  promoted,
  unfinished,
  blocked,
}: DeployStatus): Line[] {
  const isListed = releases.some(({ name }) => name === promoted);
  return [
    ...releases.map(({ name, uri, state, loops, needed }) => {
      const tone = state === "promoted" ? "good" : "faint";
      const facts = `  ${uri}, ${countOf(loops, "loop")}`;
      const only = needed === 0 ? "" : `, the only one for ${countOf(needed, "unfinished run")}`;
      return line(toned("strong", name), " ", toned(tone, state), `${facts}${only}`);
    }),
    ...(isListed ? [] : [line(toned("warning", "promoted: "), promoted ?? "nothing")]),
    line(`${countOf(unfinished, "unfinished run")}, ${blocked} that no release can execute`),
  ];
}

/** What a new release would mean, tenant by tenant. */
export function renderUpgrade({ release, tenants, migrations, blocked }: UpgradeCheck): Line[] {
  const isGood = blocked === 0;
  return [
    ...tenants.flatMap(({ tenant, unfinished, carried, lacks }) => [
      line(toned("strong", tenant), `  ${countOf(unfinished, "unfinished run")}, ${carried} go on`),
      ...lacks.map(({ cause, what, keptBy, runs, first }) => {
        const where = keptBy === null ? toned("bad", "would block") : `stay with ${keptBy}`;
        const named = `${first.join(", ")}${runs > first.length ? ", ..." : ""}`;
        return line("  ", where, `: ${runs}: ${cause} ${what} (${named})`);
      }),
    ]),
    ...migrations.map(({ number, name, isShared }) => {
      const others = isShared ? "can run beside it" : "cannot run beside it";
      return line(
        `migration ${number} ${name} comes first; workers of the version before ${others}`,
      );
    }),
    line(
      toned(isGood ? "good" : "bad", isGood ? "✓ " : "✗ "),
      `release ${release} would block ${countOf(blocked, "unfinished run")}`,
    ),
  ];
}
