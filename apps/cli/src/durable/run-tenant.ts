import type {
  StoredTenant,
  TenantBook,
  TenantChange,
  TenantLimits,
} from "@turnseal/adapters/postgres";
import { isTenant, TENANT_WORDS } from "@turnseal/protocol";
import { type Line, line, type Terminal, toned, writeJson } from "@turnseal/terminal";
import { EXIT_CODES, type ExitCode } from "../exit-codes.ts";
import { readPerson } from "../terminal/read-person.ts";
import { RefusalError } from "../terminal/refusal.ts";
import type { Surroundings } from "../terminal/surroundings.ts";
import { withBook } from "../with-book.ts";
import type { TenantStep } from "./defaults.ts";
import { deleteTenant } from "./delete-tenant.ts";

/** A number, or that there is no limit any more. */
export type SaidLimit = number | "none";

export interface TenantOptions {
  readonly postgres?: string;
  readonly weight?: number;
  readonly concurrency?: SaidLimit;
  readonly startsPerSecond?: SaidLimit;
  readonly tokensPerDay?: SaidLimit;
  readonly moneyPerDay?: SaidLimit;
  readonly keepDays?: SaidLimit;
  readonly force?: boolean;
  readonly json?: boolean;
}

const MICROS = 1_000_000;

/** `turnseal tenant`: who may have runs, while everything runs. */
export async function runTenant(
  step: TenantStep,
  name: string | undefined,
  options: TenantOptions,
  { terminal }: Surroundings,
): Promise<ExitCode> {
  const { postgres } = options;
  if (step !== "list" && !isTenant(name))
    throw new RefusalError(`a tenant is a name of ${TENANT_WORDS}`, `${COMMAND} ${step} acme`);
  const saysNothing = Object.keys(toChange(options, {})).length === 0;
  if (step === "limit" && saysNothing)
    throw new RefusalError("no limit is given", `${COMMAND} limit acme --concurrency 8`);
  if (step !== "limit" && !saysNothing)
    throw new RefusalError(`${step} takes no limits`, `${COMMAND} limit acme --weight 2`);
  const place = { command: `tenant ${step}`, postgres };
  return withBook(
    place,
    (peers, url) => peers.openTenantBook({ url }),
    async (book) => {
      if (step === "list") return await showAll(book, options, terminal);
      if (step === "delete") return await deleteTenant(book, name ?? "", options, terminal);
      return await change(book, { step, name: name ?? "", options }, terminal);
    },
  );
}

const COMMAND = "turnseal tenant";

async function showAll(
  book: TenantBook,
  { json }: TenantOptions,
  { out }: Terminal,
): Promise<ExitCode> {
  const tenants: StoredTenant[] = [];
  for (let page = await book.list(); page.length > 0; page = await book.list(page.at(-1)?.name))
    tenants.push(...page);
  if (json) writeJson(out, tenants, 2);
  else tenants.map(renderTenant).forEach(out.writeLine);
  return EXIT_CODES.done;
}

interface Asked {
  readonly step: Exclude<TenantStep, "list" | "delete">;
  readonly name: string;
  readonly options: TenantOptions;
}

async function change(
  book: TenantBook,
  { step, name, options }: Asked,
  terminal: Terminal,
): Promise<ExitCode> {
  const person = readPerson();
  const added = step === "add" ? await book.add(name, person) : undefined;
  if (added === "known")
    throw new RefusalError(`tenant ${name} is there already`, `${COMMAND} list`, EXIT_CODES.failed);
  if (added === "left")
    throw new RefusalError(
      `tenant ${name} was deleted, and rows of it are left`,
      `${COMMAND} delete ${name}, then ${COMMAND} add ${name}`,
      EXIT_CODES.failed,
    );
  const before = await book.read(name);
  const states = { suspend: { state: "suspended" }, resume: { state: "active" } } as const;
  const changes: TenantChange =
    step === "suspend" || step === "resume"
      ? states[step]
      : // What this version does not know is replaced by what is said now.
        toChange(
          options,
          before === undefined || before.state === "unreadable" ? {} : before.limits,
        );
  const after = step === "add" ? before : await book.change(name, changes, person);
  if (after === undefined)
    throw new RefusalError(
      `there is no tenant ${name}`,
      `${COMMAND} add ${name}`,
      EXIT_CODES.failed,
    );
  const { out } = terminal;
  if (options.json) writeJson(out, after, 2);
  else {
    out.writeLine(line(toned("good", "✓ "), ...renderTenant(after).spans));
    const note = NOTES[step];
    if (note !== undefined) out.writeLine(line(note));
  }
  return EXIT_CODES.done;
}

const NOTES: Partial<Record<TenantStep, string>> = {
  suspend: "Nothing of it is begun within seconds; what runs now ends its step. Timers stay.",
  resume: "Its runs go on within five minutes.",
};

/** The limits after the change; limits without an option stay. */
function toChange(options: TenantOptions, before: TenantLimits): TenantChange {
  const { weight, concurrency, startsPerSecond, tokensPerDay, moneyPerDay, keepDays } = options;
  const money = typeof moneyPerDay === "number" ? moneyPerDay * MICROS : moneyPerDay;
  const said = { concurrency, startsPerSecond, tokensPerDay, moneyMicrosPerDay: money, keepDays };
  const given = Object.entries(said).filter(([, limit]) => limit !== undefined);
  const limits: Record<string, number> = { ...before };
  for (const [limit, value] of given)
    if (typeof value === "number") limits[limit] = value;
    else delete limits[limit];
  return {
    ...(weight === undefined ? {} : { weight }),
    ...(given.length === 0 ? {} : { limits }),
  };
}

function renderTenant(tenant: StoredTenant): Line {
  const { name, changedAt, changedBy } = tenant;
  const changed = toned("faint", `  by ${changedBy}, ${changedAt}`);
  if (tenant.state === "unreadable") {
    const held = `  its limits are unknown, nothing of it begins; next: ${COMMAND} limit ${name}`;
    return line(toned("strong", name), " ", toned("bad", "unreadable"), held, changed);
  }
  const { state, weight, limits } = tenant;
  const { concurrency, startsPerSecond, tokensPerDay, moneyMicrosPerDay, keepDays } = limits;
  const facts = [
    `weight ${weight}`,
    concurrency === undefined ? undefined : `${concurrency} at the same time`,
    startsPerSecond === undefined ? undefined : `${startsPerSecond} starts a second`,
    tokensPerDay === undefined ? undefined : `${tokensPerDay} tokens a day`,
    moneyMicrosPerDay === undefined ? undefined : `$${moneyMicrosPerDay / MICROS} a day`,
    keepDays === undefined ? undefined : `archived ${keepDays} days after their end`,
  ].filter((fact) => fact !== undefined);
  return line(
    toned("strong", name),
    " ",
    toned(state === "active" ? "good" : "warning", state),
    `  ${facts.join(", ")}`,
    changed,
  );
}
