/**
 * One program of `docs/side-by-side`, run as its page says. It begins and asks, another process
 * approves and is killed when the bank has paid and not yet answered, and a third goes on.
 */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { repositoryRoot } from "../tidy/tree.ts";
import { openWorld, type World } from "./open-world.ts";
import { startNode } from "./start-node.ts";

const ORDER = "A-17";

export interface Program {
  readonly name: string;
  /** What goes on with the order after the kill. */
  readonly again: readonly string[];
}

export interface Tried {
  /** The number of payment requests to the bank, and of their keys. */
  readonly payments: number;
  readonly keys: number;
  /** What the third process printed last. */
  readonly said: string;
  /** What checks the folder afterwards printed. */
  readonly after: readonly string[];
}

/**
 * Tries a program, then runs the commands in its folder. Throws if the program asks for no
 * approval.
 */
export async function tryProgram(
  { name, again }: Program,
  { databaseUrl, commands }: { databaseUrl: string; commands: readonly (readonly string[])[] },
): Promise<Tried> {
  const world = await openWorld();
  const folder = mkdtempSync(join(tmpdir(), `turnseal-side-by-side-${name}-`));
  const inFolder = { folder, env: environmentOf(world, { folder, databaseUrl }) };
  const start = (args: readonly string[]) =>
    startNode([join(repositoryRoot, "docs/side-by-side", `${name}.ts`), ...args], inFolder);
  try {
    const asked = await start([ORDER]).ended;
    if (!asked.includes("waits")) throw new Error(`${name} asked for no approval:\n${asked}`);
    world.setSilent(true);
    const paying = start([ORDER, "approve"]);
    await Promise.race([world.untilPayments(1), paying.ended]);
    paying.kill();
    await paying.ended;
    world.setSilent(false);
    let said = await start([ORDER, ...again]).ended;
    if (said.includes("waits")) said = await start([ORDER, "approve"]).ended;
    const after: string[] = [];
    for (const command of commands) after.push(await startNode(command, inFolder).ended);
    const { payments } = world;
    return { payments: payments.length, keys: new Set(payments).size, said: said.trim(), after };
  } finally {
    await world.close();
    rmSync(folder, { recursive: true, force: true });
  }
}

interface Place {
  readonly folder: string;
  readonly databaseUrl: string;
}

function environmentOf(world: World, { folder, databaseUrl }: Place): NodeJS.ProcessEnv {
  return {
    ...{ PATH: process.env["PATH"], HOME: folder, NO_COLOR: "1" },
    ...{ OPENAI_API_KEY: "not-a-key", OPENAI_BASE_URL: world.modelUrl },
    ...{ BANK_URL: world.bankUrl, DATABASE_URL: databaseUrl, MASTRA_TELEMETRY_DISABLED: "1" },
  };
}
