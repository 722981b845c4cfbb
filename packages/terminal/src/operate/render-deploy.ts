import { type DeployStatus, describeAnswer, type UpgradeCheck } from "@turnseal/operate/deploy";
import { countOf } from "../screen/count-of.ts";
import { type Line, line, toned } from "../screen/line.ts";

/** Renders the deployed releases, one at a time. */
export function renderDeployStatus({
  releases,
  promoted,
  unfinished,
  blocked,
}: DeployStatus): Line[] {
  const isListed = releases.some(({ name }) => name === promoted);
  return [
    ...releases.flatMap(({ name, uri, state, loops, needed, answers }) => {
      const tone = state === "promoted" ? "good" : "faint";
      const facts = `  ${uri}, ${countOf(loops, "loop")}`;
      const only = needed === 0 ? "" : `, the only one for ${countOf(needed, "unfinished run")}`;
      const silent = describeAnswer({ name, uri }, answers);
      return [
        line(toned("strong", name), " ", toned(tone, state), `${facts}${only}`),
        ...(silent === undefined ? [] : renderSilent(silent, { name, needed })),
      ];
    }),
    ...(isListed ? [] : [line(toned("warning", "promoted: "), promoted ?? "nothing")]),
    line(`${countOf(unfinished, "unfinished run")}, ${blocked} that no release can execute`),
  ];
}

function renderSilent(
  words: string,
  { name, needed }: { readonly name: string; readonly needed: number },
): Line[] {
  const next =
    needed === 0
      ? `turnseal deploy remove ${name}, or start its workers again`
      : `start its workers again: ${countOf(needed, "unfinished run")} cannot go on without them`;
  return [line("  ", toned("bad", "✗ "), words), line("    next: ", next)];
}

/** Renders the effect of a new release, for each tenant. */
export function renderDeployCheck({ release, tenants, migrations, blocked }: UpgradeCheck): Line[] {
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
