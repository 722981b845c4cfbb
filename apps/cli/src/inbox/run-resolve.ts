import { ANSWERS, chooseUnknown, createRunClient } from "@turnseal/host";
import type { PutAnswer } from "@turnseal/ports";
import { type JsonValue, LATE_RESOLUTIONS } from "@turnseal/protocol";
import { parseJsonText } from "@turnseal/runtime/project";
import type { ExitCode } from "../exit-codes.ts";
import { readIdentity } from "../terminal/read-identity.ts";
import { reportUsage } from "../terminal/report-usage.ts";
import type { Terminal } from "../terminal/screen.ts";
import { shortId } from "../terminal/short-id.ts";
import type { Surroundings } from "../terminal/surroundings.ts";
import { withRun } from "../with-run.ts";
import { type PutOptions, reportPut } from "./put-message.ts";
import { reportAgainst } from "./with-request.ts";

export interface ResolveOptions extends PutOptions {
  readonly result?: string;
}

const ALL_ANSWERS = [...new Set([...ANSWERS, ...LATE_RESOLUTIONS])];
const LATE = "the run stays stopped; no receipt seals what is said after its end";
const ONE_ANSWER = `the answer must be one of ${ALL_ANSWERS.join(", ")}`;

/** `turnseal resolve`: a person's word on what became of an action whose end nobody knows. */
export function runResolve(
  run: string,
  words: readonly string[],
  options: ResolveOptions & { readonly surroundings: Surroundings },
): Promise<ExitCode> {
  const { result, surroundings } = options;
  const { terminal } = surroundings;
  const resolution = ALL_ANSWERS.find((answer) => answer === words.at(-1));
  const key = words.length > 1 ? words[0] : undefined;
  if (resolution === undefined || words.length > 2) return refuse(run, ONE_ANSWER, terminal);
  const parsed = result === undefined ? undefined : parseJsonText(result);
  if (parsed?.kind === "refused")
    return refuse(run, `--result is not JSON: ${parsed.problem.message}`, terminal);
  if (result !== undefined && resolution !== "happened")
    return refuse(run, "--result is only for happened", terminal);
  return withRun(run, { ...options, terminal }, async (named) => {
    const { run: id, projection } = named.known;
    const { stores, engine } = named.folder;
    const claim = chooseUnknown(projection, key);
    if (typeof claim === "string")
      return reportUsage(terminal, claim, `turnseal show ${shortId(id)}`);
    const by = readIdentity(surroundings.environment);
    const said = parsed?.value as JsonValue | undefined;
    const answer = { resolution, by, ...(said === undefined ? {} : { result: said }) };
    // Under an engine a worker takes the word in.
    const through = engine === undefined ? {} : { put: stores.inbox.put };
    const client = createRunClient({ loops: [], stores, ...through });
    let told: PutAnswer = { kind: "known" };
    const say = async (): Promise<void> => {
      told = await client.resolve(id, { key: claim.key, ...answer });
    };
    const isLate = (projection?.stopped ?? null) !== null;
    const done = `${claim.name}: ${resolution}, says ${by.id}`;
    const report = isLate ? { words: { done, after: LATE, facts: { resolution } } } : {};
    return (
      (await reportAgainst(say, { by, terminal })) ??
      reportPut("resolve", told, { ...options, ...report, terminal, named })
    );
  });
}

async function refuse(run: string, what: string, terminal: Terminal): Promise<ExitCode> {
  const next = `turnseal resolve ${run} [key] happened --result '<json>'`;
  return reportUsage(terminal, what, next);
}
