import {
  ANSWERS,
  checkResolution,
  listUnknown,
  type OpenClaim,
  resolveMessage,
} from "@turnseal/host";
import type { JsonValue } from "@turnseal/protocol";
import { parseJsonText } from "@turnseal/runtime/project";
import type { ExitCode } from "../exit-codes.ts";
import { readIdentity } from "../terminal/read-identity.ts";
import { reportUsage } from "../terminal/report-usage.ts";
import type { Terminal } from "../terminal/screen.ts";
import { shortId } from "../terminal/short-id.ts";
import type { Surroundings } from "../terminal/surroundings.ts";
import { withRun } from "../with-run.ts";
import { type PutOptions, putMessage } from "./put-message.ts";
import { reportAgainst } from "./with-request.ts";

export interface ResolveOptions extends PutOptions {
  readonly result?: string;
}

const ONE_ANSWER = `the answer must be one of ${ANSWERS.join(", ")}`;

/** `turnseal resolve`: a person's word on what became of an action whose end nobody knows. */
export function runResolve(
  run: string,
  words: readonly string[],
  options: ResolveOptions & { readonly surroundings: Surroundings },
): Promise<ExitCode> {
  const { result, surroundings } = options;
  const { terminal } = surroundings;
  const resolution = ANSWERS.find((answer) => answer === words.at(-1));
  const key = words.length > 1 ? words[0] : undefined;
  if (resolution === undefined || words.length > 2) return refuse(run, ONE_ANSWER, terminal);
  const parsed = result === undefined ? undefined : parseJsonText(result);
  if (parsed?.kind === "refused")
    return refuse(run, `--result is not JSON: ${parsed.problem.message}`, terminal);
  if (result !== undefined && resolution !== "happened")
    return refuse(run, "--result is only for happened", terminal);
  return withRun(run, { ...options, terminal }, async (named) => {
    const { projection } = named.known;
    const claim = chooseClaim(projection === undefined ? [] : listUnknown(projection), key);
    if (typeof claim === "string") {
      return reportUsage(terminal, claim, `turnseal show ${shortId(named.known.run)}`);
    }
    const by = readIdentity(surroundings.environment);
    const said = parsed?.value as JsonValue | undefined;
    const answer = { resolution, by, ...(said === undefined ? {} : { result: said }) };
    return (
      reportAgainst(() => checkResolution(claim, answer), { by, terminal }) ??
      putMessage(resolveMessage(named.known.run, claim, answer), named, { ...options, terminal })
    );
  });
}

function chooseClaim(unknown: readonly OpenClaim[], key: string | undefined): OpenClaim | string {
  const [claim, ...others] = unknown.filter((open) => open.key.startsWith(key ?? ""));
  if (unknown.length === 0) return "no action of the run waits for an answer";
  if (claim === undefined) return `no unknown action has a key that begins with ${key}`;
  if (others.length === 0) return claim;
  const keys = [claim, ...others].map((open) => `${open.name} ${open.key}`);
  return `several actions wait for an answer, name one: ${keys.join(", ")}`;
}

async function refuse(run: string, what: string, terminal: Terminal): Promise<ExitCode> {
  const next = `turnseal resolve ${run} [key] happened --result '<json>'`;
  return reportUsage(terminal, what, next);
}
