// The page about deployments, executed as it is printed, on a real engine with workers of two
// releases; and a restore into another database, as the page about failures says it.
import { execFileSync } from "node:child_process";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { type Engine, findEnginePorts, findFreePort, startEngine } from "@turnseal/runtime/engine";
import { afterAll, beforeAll, expect, test } from "vitest";
import { listFences } from "../tools/documents/list-fences.ts";
import { repositoryRoot } from "../tools/tidy/tree.ts";
import { askServer, type CommandWorld, openCommandWorld, until } from "./command-world.ts";
import { runGuide } from "./run-guide.ts";

const pay = (version: string): string => `
export const pay = {
  definition: {
    id: "pay", name: "pay", version: "${version}", kind: "tool",
    inputSchema: true, outputSchema: true, tool: { implementation: "local.pay" },
  },
  run: () => ({ version: "${version}" }),
  declared: { effect: "idempotent", build: "${version}" },
};
`;
const guide = join(repositoryRoot, ".turnseal/deployments-page");

let world: CommandWorld;
let engine: Engine;
let place: string[];

beforeAll(async () => {
  world = openCommandWorld();
  const name = new URL(world.databaseUrl).pathname.slice(1);
  await askServer(`create database ${name}`);
  expect(await world.run(["migrate", "--postgres", world.databaseUrl])).toMatchObject({ code: 0 });
  engine = await startEngine({
    folder: join(world.folder, "engine"),
    ports: await findEnginePorts(),
  });
  place = ["--host", engine.ingress, "--postgres", world.databaseUrl];
  for (const [folder, version] of [
    ["loops", "1.0.0"],
    ["next", "2.0.0"],
  ] as const) {
    mkdirSync(join(world.folder, folder));
    writeFileSync(join(world.folder, folder, "pay.mjs"), pay(version));
  }
});
afterAll(async () => {
  await engine?.kill();
  await world?.close();
});

async function startWorker(loops: string): Promise<string> {
  const [port, door] = [await findFreePort(), await findFreePort()];
  world.start([
    ...["worker", "--from", loops, "--postgres", world.databaseUrl, "--port", String(port)],
    ...["--metrics-port", String(door), "--identity-key", engine.identityKey],
    ...["--admin", engine.admin, "--store", `store-${loops}`],
  ]);
  const isAlive = () =>
    fetch(`http://127.0.0.1:${door}/health`).then(
      ({ ok }) => (ok ? true : undefined),
      () => undefined,
    );
  await until(isAlive);
  return `http://127.0.0.1:${port}`;
}

const deploy = (...args: string[]) =>
  world.run(["deploy", ...args, "--admin", engine.admin, "--postgres", world.databaseUrl]);

test("every command of the page prints what it says", { timeout: 240_000 }, async () => {
  const [one, two] = [await startWorker("loops"), await startWorker("next")];
  const wrong = await deploy("register", "--from", "loops", "--url", two);
  expect(wrong).toMatchObject({ code: 1, out: "" });
  expect(wrong.err).toContain("error: the workers at");
  expect(await deploy("register", "--from", "loops", "--url", one)).toMatchObject({ code: 0 });
  expect(await deploy("promote", "--from", "loops")).toMatchObject({ code: 0 });
  writeFileSync(
    join(world.folder, "ask.toml"),
    'name = "ask"\n\n[[rules]]\nid = "all"\ndecision = "ask"\n',
  );
  const parked = await world.run([
    ...["run", "pay", "--from", "loops", "--allow", "local.pay", "--policy", "ask.toml"],
    ...["--input", "{}", ...place],
  ]);
  expect(parked.code).toBe(2);
  await runGuide({
    ...{ document: "docs/operate/deployments.md", folder: guide, mark: "with-workers" },
    env: {
      ...{ TURNSEAL_POSTGRES_URL: world.databaseUrl, TURNSEAL_ADMIN_URL: engine.admin },
      TURNSEAL_HOST: engine.ingress,
    },
    adapt: (script) =>
      script
        .replaceAll("./next", join(world.folder, "next"))
        .replaceAll("./loops", join(world.folder, "loops"))
        .replaceAll("http://workers-1.internal:9080", one)
        .replaceAll("http://workers-2.internal:9080", two),
    show: (printed) =>
      printed
        .replaceAll(one, "http://workers-1.internal:9080")
        .replaceAll(two, "http://workers-2.internal:9080"),
  });
});

test("a database that was restored under another name verifies, as the page says", {
  timeout: 120_000,
}, async () => {
  const name = new URL(world.databaseUrl).pathname.slice(1);
  const restored = `${name}_restored`;
  const url = new URL(world.databaseUrl);
  url.pathname = `/${restored}`;
  const dump = join(world.folder, "backup.dump");
  execFileSync("pg_dump", ["--format=custom", `--file=${dump}`, world.databaseUrl]);
  await askServer(`create database ${restored}`);
  try {
    execFileSync("pg_restore", [`--dbname=${url.href}`, dump]);
    const verify = () =>
      world.run([
        ...["verify", "--all-tenants", "--host", engine.ingress, "--postgres", url.href],
        // Where the worker has its keys that sealed the run.
        ...["--store", "store-next"],
      ]);
    expect((await verify()).code).not.toBe(0);
    const page = readFileSync(join(repositoryRoot, "docs/operate/failures.md"), "utf8");
    const sql = listFences("failures.md", page).find(({ language }) => language === "sql");
    const statements = (sql?.text ?? "")
      .replaceAll("turnseal_restored_owner", `${restored}_owner`)
      .replaceAll("turnseal_owner", `${name}_owner`)
      .replace("<the login that you verify with>", "current_user")
      .split(";");
    expect(statements.length).toBeGreaterThan(2);
    for (const statement of statements) if (statement.trim() !== "") await askServer(statement);
    const again = await verify();
    expect({ code: again.code, err: again.err }).toEqual({ code: 0, err: "" });
  } finally {
    await askServer(`drop database if exists ${restored} with (force)`);
    await askServer(`drop role if exists "${restored}_owner"`);
  }
});
