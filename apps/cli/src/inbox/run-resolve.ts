import { parseJsonText } from "@turnseal/documents";
import { ANSWERS, chooseUnknown, createRunClient } from "@turnseal/host";
import type { PutAnswer } from "@turnseal/ports";
import { type JsonValue, LATE_RESOLUTIONS } from "@turnseal/protocol";
import { shortId } from "@turnseal/terminal";
import type { ExitCode } from "../exit-codes.ts";
import { readIdentity } from "../terminal/read-identity.ts";
import { RefusalError } from "../terminal/refusal.ts";
import type { Surroundings } from "../terminal/surroundings.ts";
import { withRun } from "../with-run.ts";
import { type PutOptions, reportPut } from "./put-message.ts";
import { reportAgainst } from "./with-request.ts";

export interface ResolveOptions extends PutOptions {
  readonly result?: string;
}

const ALL_ANSWERS = [...new Set([...ANSWERS, ...LATE_RESOLUTIONS])];
const LATE = "the run stays stopped; no receipt seals answers after its end";
const ONE_ANSWER = `the answer must be one of ${ALL_ANSWERS.join(", ")}`;

/** `turnseal resolve`: a person's answer on an unknown action. */
export function runResolve(
  run: string,
  words: readonly string[],
  options: ResolveOptions,
  { terminal, environment }: Surroundings,
): Promise<ExitCode> {
  const { result } = options;
  const resolution = ALL_ANSWERS.find((answer) => answer === words.at(-1));
  const key = words.length > 1 ? words[0] : undefined;
  if (resolution === undefined || words.length > 2) throw refuse(run, ONE_ANSWER);
  const parsed = result === undefined ? undefined : parseJsonText(result);
  if (parsed?.kind === "refused")
    throw refuse(run, `--result is not JSON: ${parsed.problem.message}`);
  if (result !== undefined && resolution !== "happened")
    throw refuse(run, "--result is only for happened");
  return withRun(run, options, async (named) => {
    const { run: id, projection } = named.known;
    const { stores, engine } = named.folder;
    const claim = chooseUnknown(projection, key);
    if (typeof claim === "string") throw new RefusalError(claim, `turnseal show ${shortId(id)}`);
    const by = readIdentity(environment);
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

function refuse(run: string, what: string): RefusalError {
  return new RefusalError(what, `turnseal resolve ${run} [key] happened --result '<json>'`);
}
